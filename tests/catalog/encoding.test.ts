import { describe, expect, test } from 'bun:test';
import { guessEncoding, openText } from '../../src/catalog/bytes/encoding.ts';
import { openSource } from '../../src/catalog/open-source.ts';

const latin = (text: string) => Buffer.from(text, 'latin1');
const HEAD = 'id,title,price\n';

async function read(content: Uint8Array) {
  const bytes = (async function* () {
    // In small pieces, as they may arrive.
    for (let at = 0; at < content.length; at += 7) yield content.subarray(at, at + 7);
  })();
  const source = await openSource({ name: 'x.csv', bytes });
  const titles: string[] = [];
  const faults: string[] = [];
  for await (const row of source.rows({ currency: 'EUR', shopUrl: null, now: 0 })) {
    if ('fault' in row) faults.push(`${row.fault.line} ${row.fault.code}`);
    else if (row.item.type === 'product') titles.push(row.item.name);
  }
  return { evidence: source.evidence, titles, faults };
}

test('every row of a windows-1252 file is read, with its umlauts and euro signs', async () => {
  const rows = Array.from({ length: 50 }, (_, at) => `${at},Gr\xfc\xdfe \x80 \x96 ${at},5\n`);
  const { evidence, titles, faults } = await read(latin(`${HEAD}${rows.join('')}`));
  expect(faults).toEqual([]);
  expect(titles).toHaveLength(50);
  expect(titles[3]).toBe('Grüße € – 3');
  expect(evidence).toEndWith('; read as windows-1252 by its bytes: --encoding names another');
});

test('a UTF-8 file with damaged bytes stays UTF-8, with faults at those rows alone', async () => {
  const rows = Array.from({ length: 50 }, (_, at) => `${at},Müll ${at},5\n`);
  const content = Buffer.from(`${HEAD}${rows.join('')}`);
  // The second byte of an ü, twice.
  for (const row of [5, 30])
    content[content.indexOf(`\n${row},M`) + `\n${row},M`.length + 1] = 0x20;
  const { evidence, titles, faults } = await read(content);
  expect(faults).toEqual(['7 invalid_utf8', '32 invalid_utf8']);
  expect(titles).toHaveLength(48);
  expect(evidence).not.toContain('read as');
});

test.each([
  ['as many valid sequences as invalid bytes: UTF-8', 3, 3, null],
  ['one invalid byte more: windows-1252', 3, 4, 'windows-1252'],
  ['one invalid byte and no valid sequence: windows-1252', 0, 1, 'windows-1252'],
] as const)('%s', (_, valid, invalid, encoding) => {
  const text = latin('\xc3\xbc '.repeat(valid) + 'M\xfcll '.repeat(invalid));
  expect(guessEncoding(text)).toBe(encoding);
});

test.each([
  ['a euro sign as ISO-8859-15 has it', latin('M\xfcll 5 \xa4'), 'iso-8859-15'],
  ['two accents in a row', latin('cr\xe9\xe9e \xc9\xe9'), 'windows-1252'],
  ['a run of umlauts among words', latin('M\xfcll f\xfcr T\xfcren: \xe4\xf6\xfc'), 'windows-1252'],
  ['Cyrillic', Buffer.from([0xca, 0xf0, 0xe0, 0xf1, 0xe8, 0xe2, 0xe0, 0xff]), null],
  ['a byte that windows-1252 does not define', latin('M\xfcll \x81'), null],
  ['what is no text', latin('M\xfcll \x00'), null],
  ['UTF-8', Buffer.from('Müll 😀'), null],
  ['ASCII', Buffer.from('Mull'), null],
] as const)('%s', (_, bytes, encoding) => {
  expect(guessEncoding(bytes)).toBe(encoding);
});

describe('a code page that shares its bytes with windows-1252 is never taken for it', () => {
  const encoded = (label: string, text: string) => {
    const decoder = new TextDecoder(label);
    const all = Array.from({ length: 256 }, (_, byte) => decoder.decode(Uint8Array.of(byte)));
    return Uint8Array.from([...text].map((character) => all.indexOf(character)));
  };
  test.each([
    [
      'windows-1250',
      'Lampa stołowa z drewna dębowego; Żółta filiżanka; Skórzany portfel ręcznie szyty',
      null,
    ],
    ['windows-1250', 'Stolní lampa z dubového dřeva; Žlutý šálek na čaj; Kožená peněženka', null],
    ['windows-1250', 'Tölgyfa asztali lámpa; Bőr pénztárca, kézzel készült; Gyűrű nőknek', null],
    [
      'windows-1254',
      'Meşe masa lambası; Sarı çay fincanı; El yapımı deri cüzdan; Gümüş yüzük',
      null,
    ],
    ['windows-1253', 'Επιτραπέζιο φωτιστικό; Κίτρινο φλιτζάνι', null],
    ['windows-1252', 'Stehlampe aus Eiche für 5 m²; Größe 40; Crème brûlée', 'windows-1252'],
    ['windows-1252', 'Borðlampi úr eik; Leðurveski; Þæginlegur sófi', 'windows-1252'],
    ['windows-1252', 'Lámpara de roble; ¿Pequeño?; Cojín de algodón n°5', 'windows-1252'],
    ['windows-1252', 'Candeeiro de carvalho; Almofada de algodão; Edições', 'windows-1252'],
    ['windows-1252', 'Bordlampe i egetræ; Rød pude; Små kopper', 'windows-1252'],
  ])('%s: %s', (label, text, guess) => {
    expect(guessEncoding(encoded(label, text))).toBe(guess as ReturnType<typeof guessEncoding>);
  });
});

test('a sequence that the examined part cuts off says nothing', () => {
  expect(guessEncoding(Buffer.from('Mull ü').subarray(0, -1))).toBeNull();
});

test.each([
  ['a byte order mark', '\xef\xbb\xbfM\xfcll'],
  ['an XML declaration', '<?xml version="1.0" encoding="utf-8"?><a>M\xfcll</a>'],
])('%s that says UTF-8 is believed', async (_, text) => {
  const bytes = (async function* () {
    yield latin(text);
  })();
  expect((await openText(bytes)).encoding).toBeNull();
});
