import { expect, test } from 'bun:test';
import { type Upload, UploadQueue } from '../../../src/operations/pushes/upload-queue.ts';

test('who waits for an upload is woken by one, or by the end, and by nothing else', async () => {
  const queue = new UploadQueue();
  const stop = new AbortController();
  const ends: string[] = [];
  const wait = (name: string) => queue.filled(stop.signal).then(() => ends.push(name));
  const first = wait('upload');
  await Bun.sleep(1);
  expect(ends).toEqual([]);
  const upload = { id: 'one' } as Upload;
  queue.add(upload);
  await first;
  expect(queue.take()).toBe(upload);
  const second = wait('end');
  stop.abort();
  await second;
  expect(ends).toEqual(['upload', 'end']);
});

test('a file that came while nobody waited is noticed at once', async () => {
  const queue = new UploadQueue();
  queue.add({ id: 'one' } as Upload);
  await queue.filled(new AbortController().signal);
});
