// What few runs do with sessions, loaded on use.
import { late } from "@pith/kit";

export const importSession: typeof import("./foreign/import.ts").importSession = async (...given) =>
  (await import("./foreign/import.ts")).importSession(...given);
export const replay: typeof import("./replay/replay.ts").replay = async (...given) =>
  (await import("./replay/replay.ts")).replay(...given);
export const forkSession = late(() => {
  const { forkSession }: typeof import("./library/fork.ts") = require("./library/fork.ts");
  return forkSession;
});
export const moveSession = late(() => {
  const { moveSession }: typeof import("./library/move.ts") = require("./library/move.ts");
  return moveSession;
});
export const cleanUp = late(() => {
  const { cleanUp }: typeof import("./library/trash/gc.ts") = require("./library/trash/gc.ts");
  return cleanUp;
});
export const oldArtifacts = late(() => {
  const {
    oldArtifacts,
  }: typeof import("./library/trash/old-artifacts.ts") = require("./library/trash/old-artifacts.ts");
  return oldArtifacts;
});
export const removeArtifacts = late(() => {
  const {
    removeArtifacts,
  }: typeof import("./library/trash/old-artifacts.ts") = require("./library/trash/old-artifacts.ts");
  return removeArtifacts;
});
export const deleteSession = late(() => {
  const { deleteSession }: typeof import("./library/trash/trash.ts") = require("./library/trash/trash.ts");
  return deleteSession;
});
export const discardSession = late(() => {
  const { discardSession }: typeof import("./library/trash/trash.ts") = require("./library/trash/trash.ts");
  return discardSession;
});
export const restoreSession = late(() => {
  const { restoreSession }: typeof import("./library/trash/trash.ts") = require("./library/trash/trash.ts");
  return restoreSession;
});
export const listTrash = late(() => {
  const { listTrash }: typeof import("./library/trash/trash.ts") = require("./library/trash/trash.ts");
  return listTrash;
});
export const refreshSearch = late(() => {
  const { refreshSearch }: typeof import("./library/database/search.ts") = require("./library/database/search.ts");
  return refreshSearch;
});
export const searchSessions = late(() => {
  const { searchSessions }: typeof import("./library/database/search.ts") = require("./library/database/search.ts");
  return searchSessions;
});
