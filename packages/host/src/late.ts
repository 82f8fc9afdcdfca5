// What tools do with the machine, loaded by the first call: a prompt that runs no tool starts without.
import { late } from "@pith/kit";
import type { SandboxOptions } from "./exec/sandbox/sandbox.ts";
import type { ShellRuntimeOptions } from "./exec/shell/runtime.ts";

export const listArchive = late(() => {
  const { listArchive }: typeof import("./archive/archive.ts") = require("./archive/archive.ts");
  return listArchive;
});
export const pageMember = late(() => {
  const { pageMember }: typeof import("./archive/archive.ts") = require("./archive/archive.ts");
  return pageMember;
});
export const readMember = late(() => {
  const { readMember }: typeof import("./archive/archive.ts") = require("./archive/archive.ts");
  return readMember;
});
export const writeMember = late(() => {
  const { writeMember }: typeof import("./archive/archive.ts") = require("./archive/archive.ts");
  return writeMember;
});
export const readDocument = late(() => {
  const { readDocument }: typeof import("./document/document.ts") = require("./document/document.ts");
  return readDocument;
});
export const runSandboxed = late(() => {
  const { runSandboxed }: typeof import("./exec/sandbox/run.ts") = require("./exec/sandbox/run.ts");
  return runSandboxed;
});
export const runProgram = late(() => {
  const { runProgram }: typeof import("./exec/program/run.ts") = require("./exec/program/run.ts");
  return runProgram;
});
export const listFiles = late(() => {
  const { listFiles }: typeof import("./exec/search/list.ts") = require("./exec/search/list.ts");
  return listFiles;
});
export const rgPath = late(() => {
  const { rgPath }: typeof import("./exec/search/rg-path.ts") = require("./exec/search/rg-path.ts");
  return rgPath;
});
export const searchFiles = late(() => {
  const { searchFiles }: typeof import("./exec/search/search.ts") = require("./exec/search/search.ts");
  return searchFiles;
});
export const runShell = late(() => {
  const { runShell }: typeof import("./exec/shell/single.ts") = require("./exec/shell/single.ts");
  return runShell;
});
export const nearPath = late(() => {
  const { nearPath }: typeof import("./fs/near.ts") = require("./fs/near.ts");
  return nearPath;
});
export const readPage = late(() => {
  const { readPage }: typeof import("./fs/page.ts") = require("./fs/page.ts");
  return readPage;
});
export const takePage = late(() => {
  const { takePage }: typeof import("./fs/page.ts") = require("./fs/page.ts");
  return takePage;
});
export const applySteps = late(() => {
  const { applySteps }: typeof import("./fs/replace.ts") = require("./fs/replace.ts");
  return applySteps;
});
export const findAny = late(() => {
  const { findAny }: typeof import("./fs/target.ts") = require("./fs/target.ts");
  return findAny;
});
export const findTarget = late(() => {
  const { findTarget }: typeof import("./fs/target.ts") = require("./fs/target.ts");
  return findTarget;
});
export const shownAs = late(() => {
  const { shownAs }: typeof import("./fs/target.ts") = require("./fs/target.ts");
  return shownAs;
});
export const readTree = late(() => {
  const { readTree }: typeof import("./fs/tree.ts") = require("./fs/tree.ts");
  return readTree;
});
export const writeTo = late(() => {
  const { writeTo }: typeof import("./fs/write.ts") = require("./fs/write.ts");
  return writeTo;
});
export const writeWhole = late(() => {
  const { writeWhole }: typeof import("./fs/write.ts") = require("./fs/write.ts");
  return writeWhole;
});
export const isPicture = late(() => {
  const { isPicture }: typeof import("./image/image.ts") = require("./image/image.ts");
  return isPicture;
});
export const pictureType = late(() => {
  const { pictureType }: typeof import("./image/image.ts") = require("./image/image.ts");
  return pictureType;
});
export const readPicture = late(() => {
  const { readPicture }: typeof import("./image/image.ts") = require("./image/image.ts");
  return readPicture;
});
export const isCellText = late(() => {
  const { isCellText }: typeof import("./notebook/notebook.ts") = require("./notebook/notebook.ts");
  return isCellText;
});
export const notebookJson = late(() => {
  const { notebookJson }: typeof import("./notebook/notebook.ts") = require("./notebook/notebook.ts");
  return notebookJson;
});
export const notebookOutputs = late(() => {
  const { notebookOutputs }: typeof import("./notebook/notebook.ts") = require("./notebook/notebook.ts");
  return notebookOutputs;
});
export const notebookText = late(() => {
  const { notebookText }: typeof import("./notebook/notebook.ts") = require("./notebook/notebook.ts");
  return notebookText;
});
export const openNotebook = late(() => {
  const { openNotebook }: typeof import("./notebook/notebook.ts") = require("./notebook/notebook.ts");
  return openNotebook;
});
export const isDatabase = late(() => {
  const { isDatabase }: typeof import("./sqlite/read.ts") = require("./sqlite/read.ts");
  return isDatabase;
});
export const listTables = late(() => {
  const { listTables }: typeof import("./sqlite/read.ts") = require("./sqlite/read.ts");
  return listTables;
});
export const select = late(() => {
  const { select }: typeof import("./sqlite/read.ts") = require("./sqlite/read.ts");
  return select;
});
export const tableShape = late(() => {
  const { tableShape }: typeof import("./sqlite/read.ts") = require("./sqlite/read.ts");
  return tableShape;
});
export const changeRow = late(() => {
  const { changeRow }: typeof import("./sqlite/write.ts") = require("./sqlite/write.ts");
  return changeRow;
});
export const makeDatabase = late(() => {
  const { makeDatabase }: typeof import("./sqlite/write.ts") = require("./sqlite/write.ts");
  return makeDatabase;
});
export const listSources = late(() => {
  const { listSources }: typeof import("./syntax/list.ts") = require("./syntax/list.ts");
  return listSources;
});
export const languageOf = late(() => {
  const { languageOf }: typeof import("./syntax/language.ts") = require("./syntax/language.ts");
  return languageOf;
});
export const compilePattern = late(() => {
  const { compilePattern }: typeof import("./syntax/pattern/goal.ts") = require("./syntax/pattern/goal.ts");
  return compilePattern;
});
export const wordsOf = late(() => {
  const { wordsOf }: typeof import("./syntax/pattern/goal.ts") = require("./syntax/pattern/goal.ts");
  return wordsOf;
});

export const openSandbox = late(() => {
  const { Sandbox }: typeof import("./exec/sandbox/sandbox.ts") = require("./exec/sandbox/sandbox.ts");
  return (options: SandboxOptions) => new Sandbox(options);
});
export const openShellRuntime = late(() => {
  const { ShellRuntime }: typeof import("./exec/shell/runtime.ts") = require("./exec/shell/runtime.ts");
  return (options: ShellRuntimeOptions) => new ShellRuntime(options);
});
export const lookReal = late(() => {
  const { lookReal }: typeof import("./fs/hold/hold.ts") = require("./fs/hold/hold.ts");
  return lookReal;
});
export const chooseWay = late(() => {
  const { chooseWay }: typeof import("./fs/hold/way.ts") = require("./fs/hold/way.ts");
  return chooseWay;
});
export const wayHere = late(() => {
  const { wayHere }: typeof import("./fs/hold/way.ts") = require("./fs/hold/way.ts");
  return wayHere;
});
export const readWhole = late(() => {
  const { readWhole }: typeof import("./fs/open.ts") = require("./fs/open.ts");
  return readWhole;
});
export const isAnothers = late(() => {
  const { isAnothers }: typeof import("./exec/sandbox/plan/plan.ts") = require("./exec/sandbox/plan/plan.ts");
  return isAnothers;
});
export const repositoryText = late(() => {
  const {
    repositoryText,
  }: typeof import("./exec/sandbox/plan/repository-text.ts") = require("./exec/sandbox/plan/repository-text.ts");
  return repositoryText;
});
export const harmfulLine = late(() => {
  const {
    harmfulLine,
  }: typeof import("./exec/sandbox/guard/harmless.ts") = require("./exec/sandbox/guard/harmless.ts");
  return harmfulLine;
});
export const neverReached = late(() => {
  const { neverReached }: typeof import("./exec/sandbox/proxy/never.ts") = require("./exec/sandbox/proxy/never.ts");
  return neverReached;
});
