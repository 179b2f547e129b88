/** SQL for the server's clock, in milliseconds since the epoch. */
export const SERVER_NOW = "CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER)";
