import { setTimeout as delay } from 'node:timers/promises';
import { lockFolder } from '../../src/storage/engine/lock.ts';

// A separate process that holds the lock on the given file until it is killed.
await lockFolder(process.argv[2]!);
process.stdout.write('held\n');
await delay(60_000);
