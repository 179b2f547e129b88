/** SQL for the time of the machine that holds the database, in milliseconds since the epoch. */
export const SERVER_NOW = "CAST(unixepoch('now', 'subsec') * 1000 AS INTEGER)";
