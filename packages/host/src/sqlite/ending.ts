/** Endings of files that may be databases; `isDatabase` tells whether one is. */
export const databaseEnding = /\.(?:sqlite3?|db3?)$/i;
