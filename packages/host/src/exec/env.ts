export type Env = Readonly<Record<string, string | undefined>>;

/** The environment of a command nobody watches: nothing may page, edit, ask or wait for a person. Own values win. */
export const commandEnv = (
  base: Env,
  over: Readonly<Record<string, string>> = {},
): Record<string, string | undefined> => ({
  ...base,
  ...unattended(base),
  ...over,
});

const quiet = {
  PAGER: "cat", GIT_PAGER: "cat", MANPAGER: "cat", SYSTEMD_PAGER: "cat", EDITOR: "true", VISUAL: "true",
  GIT_EDITOR: "true", GIT_SEQUENCE_EDITOR: "true", GIT_TERMINAL_PROMPT: "0", SSH_ASKPASS: "/bin/false",
  SUDO_ASKPASS: "/bin/false", DEBIAN_FRONTEND: "noninteractive", PIP_NO_INPUT: "1", NPM_CONFIG_YES: "true",
  NPM_CONFIG_FUND: "false", COMPOSER_NO_INTERACTION: "1", NO_COLOR: "1", AI_AGENT: "pith",
}; // biome-ignore format: a table

export const unattended = (base: Env): Record<string, string> =>
  base.PITH_BASH_NO_CI || base.CLAUDE_BASH_NO_CI ? quiet : { ...quiet, CI: "true" };
