import { homedir } from "node:os";
import { tryOr } from "@pith/kit";

/** The user's home directory. A user in a container may have none: then PITH_HOME stands for it, or nothing does. */
export const userHomeOf = (env: Readonly<Record<string, string | undefined>>): string | undefined =>
  tryOr(homedir, "") || env.PITH_HOME || undefined;

export const noHome = "this user has no home directory; HOME or PITH_HOME names one";
