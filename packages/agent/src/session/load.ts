/** What a conversation never needs, loaded by those who do: sessions of other programs, and a record played again. */
export const importSession: typeof import("./foreign/import.ts").importSession = async (...given) =>
  (await import("./foreign/import.ts")).importSession(...given);
export const replay: typeof import("./replay/replay.ts").replay = async (...given) =>
  (await import("./replay/replay.ts")).replay(...given);
