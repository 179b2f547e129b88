import type { Client } from '@libsql/client';

/** What storage asks of a client, be it for a file or for a server. */
export type SqlClient = Pick<Client, 'execute' | 'batch' | 'executeMultiple' | 'close'>;
