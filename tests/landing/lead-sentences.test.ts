import { expect, test } from 'bun:test';
import { leadSentences } from '../../src/landing/lead-sentences.ts';
import { processorMs } from '../support/processor-time.ts';

test.each([
  ['nothing', '', ''],
  ['plain text', 'We ship daily. From our barn.', 'We ship daily.'],
  ['a title', '# Shipping\n\nWe ship every day. Really.', 'We ship every day.'],
  [
    'sections',
    '# Returns\n\n## How long\n\nYou have 45 days. Or more.\n\n## Why not?\n\nOpened food.',
    'How long: You have 45 days. Why not? Opened food.',
  ],
  [
    'a list',
    '## Included\n\n1. First thing.\n2. Second\n   thing',
    'Included: First thing; Second.',
  ],
  [
    'a table',
    '## Cost\n\n| To | Parcel | Free from |\n| --- | --- | --- |\n| Germany | 4.90 € | 59 € |\n| EU | 7.90 € | 90 € |',
    'Cost: Germany: Parcel 4.90 €, Free from 59 €; EU: Parcel 7.90 €, Free from 90 €.',
  ],
  [
    'markup',
    'Choose **Return** in *your* `account`, see [the page](https://x.example) <b>now</b>.',
    'Choose Return in your account, see the page now.',
  ],
  [
    'an empty section',
    '## Empty\n\n## Full\n\nText that says something',
    'Full: Text that says something.',
  ],
])('%s', (_, markdown, summary) => {
  expect(leadSentences(markdown, 300)).toBe(summary);
});

test('contains as many sections as fit, and at least the first', () => {
  const text = ['## A\n\nThe first section here.', '## B\n\nThe second section here.'].join('\n\n');
  expect(leadSentences(text, 10)).toBe('A: The first section here.');
  expect(leadSentences(text, 53)).toBe(
    'A: The first section here. B: The second section here.'.slice(0, 26),
  );
  expect(leadSentences(text, 54)).toBe('A: The first section here. B: The second section here.');
});

test('a hostile text takes linear time', () => {
  const spent = processorMs(() => {
    for (const part of ['*', '[', '<a', '| ', '# ', '- ', '![]('])
      leadSentences(part.repeat(20_000 / part.length), 300);
  });
  expect(spent).toBeLessThan(300);
});
