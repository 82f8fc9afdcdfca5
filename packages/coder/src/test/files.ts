import { type Files, openFiles } from "../files/files.ts";

/** For tests: the files of a folder, without a home beside it. */
export const filesIn = (cwd: string, more: Partial<Files> = {}): Files => ({
  ...openFiles({ cwd, userHome: "/nobody", cacheDir: cwd, path: process.env.PATH }),
  ...more,
});
