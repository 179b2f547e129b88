import type { Client } from '@libsql/client';

/** The client interface that storage uses, for a file or a server. */
export type SqlClient = Pick<Client, 'execute' | 'batch' | 'executeMultiple' | 'close'>;
