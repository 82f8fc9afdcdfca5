import { type Files, openFiles } from "../files/files.ts";

/** Opens the files of a folder, without a home. */
export const filesIn = (cwd: string, more: Partial<Files> = {}): Files => ({
  ...openFiles({ cwd, userHome: "/nobody", cacheDir: cwd, path: process.env.PATH }),
  ...more,
});
