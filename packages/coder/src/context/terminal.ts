import type { Env } from "@pith/host";

/** Returns the names of the terminal and the desktop. */
export const terminalOf = (env: Env): string =>
  [
    [env.TERM_PROGRAM, env.TERM_PROGRAM_VERSION].filter(Boolean).join(" ") || env.TERMINAL_EMULATOR,
    env.XDG_CURRENT_DESKTOP,
  ]
    .filter(Boolean)
    .join(", ");
