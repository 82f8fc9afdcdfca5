/** Rarely used parts, loaded on use: importing sessions of other programs, and replaying a record. */
export const importSession: typeof import("./foreign/import.ts").importSession = async (...given) =>
  (await import("./foreign/import.ts")).importSession(...given);
export const replay: typeof import("./replay/replay.ts").replay = async (...given) =>
  (await import("./replay/replay.ts")).replay(...given);
