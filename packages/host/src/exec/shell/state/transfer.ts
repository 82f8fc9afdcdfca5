import { readFileSync } from "node:fs";
import { shellQuote } from "@pith/kit";
import { readRegular } from "../../../git/repository.ts";

/**
 * The state inside of the sandbox with the definitions that commands outside have changed since: these go in as they
 * are. A session has two shells, and each begins with what the other one has left.
 */
export function transferIn(inside: string, before: string, now: string): string {
  const [one, other] = [definitions(textOf(before)), definitions(textOf(now))];
  const set = [...other].flatMap(([name, text]) => (one.get(name) === text ? [] : [text]));
  const unset = [...one.keys()].filter((name) => !other.has(name)).map(forget);
  return withLines(textOf(inside), [...set, ...unset]);
}

/** The state outside with plain variables that commands inside have changed, by their values; nothing else goes out. */
export function transferOut(outside: string, before: string, now: string): string {
  const [one, other] = [variables(dataOf(before)), variables(dataOf(now))];
  const set = [...other].flatMap(([name, { value, exported }]) => {
    const was = one.get(name);
    if (!isPlain(name) || (was?.value === value && was.exported === exported)) return [];
    return [`${exported ? "\\builtin export " : ""}${name}=${shellQuote(value)}`];
  });
  const unset = [...one.keys()].filter((name) => !other.has(name) && isPlain(name));
  return withLines(textOf(outside), [...set, ...unset.map((name) => `\\builtin unset -v ${name}`)]);
}

/** A variable that the text of a command assigns word for word. */
export interface AssignedVariable {
  name: string;
  value: string;
  exported: boolean;
}

/**
 * The state with variables that the text of a command assigned, as long as that is what it left; undefined where
 * there is none. Whoever wrote the rest of what it left, these are the words that were read before it ran.
 */
export function transferAssigned(
  state: string,
  assigned: readonly AssignedVariable[],
  left: string,
): string | undefined {
  const values = variables(dataOf(left));
  const held = assigned.filter(
    ({ name, value }) => isPlain(name) && values.get(name)?.value === Buffer.from(value).toString("latin1"),
  );
  if (held.length === 0) return undefined;
  const lines = held.map(({ name, value, exported }) => {
    const quoted = Buffer.from(value)
      .toString("latin1")
      .replace(/["\\$`]/g, "\\$&");
    return `declare -${exported ? "x" : "-"} ${name}="${quoted}"`;
  });
  return withLines(textOf(state), lines);
}

/** Adds lines before the end of a state, behind which a shell does not read. */
function withLines(state: string, lines: readonly string[]): string {
  const at = state.lastIndexOf(endOfState) + 1;
  const added = lines.map((line) => `${line}\n`).join("");
  return at === 0 ? `${state}${added}` : `${state.slice(0, at)}${added}${state.slice(at)}`;
}

const endOfState = "\n\\builtin return 0 #";

interface Variable {
  value: string;
  exported: boolean;
}

/**
 * The scalar variables of a state, in the one form in which a shell writes them. Others are passed over: integers,
 * references and arrays can run a command when they are loaded.
 */
function variables(text: string): Map<string, Variable> {
  const found = new Map<string, Variable>();
  for (let at = 0; at < text.length; ) {
    const stop = text.indexOf("\n", at);
    const line = text.slice(at, stop === -1 ? undefined : stop);
    const [head, attributes = "", name = ""] = /^declare (-[-A-Za-z]+) ([A-Za-z_]\w*)=/.exec(line) ?? [];
    const value = head === undefined ? undefined : valueAt(text, at + head.length);
    if (value && (attributes === "--" || attributes === "-x"))
      found.set(name, { value: value.text, exported: attributes === "-x" });
    const end = value ? text.indexOf("\n", value.end) : at + line.length;
    at = end === -1 ? text.length : end + 1;
  }
  return found;
}

/** A value and its end: `"…"` or `$'…'`, as bash writes them, and nothing else. */
function valueAt(text: string, at: number): { text: string; end: number } | undefined {
  const plain = /"((?:[^"\\$`]|\\["\\$`\n])*)"(?=\n|$)/y;
  plain.lastIndex = at;
  const quoted = plain.exec(text);
  if (quoted) return { text: (quoted[1] ?? "").replace(/\\(["\\$`\n])/g, "$1"), end: plain.lastIndex };
  const ansi = /\$'((?:[^'\\]|\\(?:[abeEfnrtv'\\"?]|[0-7]{1,3}))*)'(?=\n|$)/y;
  ansi.lastIndex = at;
  const escaped = ansi.exec(text);
  if (!escaped) return undefined;
  const decoded = (escaped[1] ?? "").replace(/\\([0-7]{1,3}|.)/g, (_, sign: string) =>
    /\d/.test(sign) ? String.fromCharCode(Number.parseInt(sign, 8) & 255) : (signs[sign] ?? sign),
  );
  return decoded.includes("\0") ? undefined : { text: decoded, end: ansi.lastIndex };
}

const signs: Readonly<Record<string, string>> = {
  a: "\x07", b: "\b", e: "\x1b", E: "\x1b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v",
}; // biome-ignore format: a table

/** The definitions of a state by kind and name; only for a state that no stranger has written. */
function definitions(text: string): Map<string, string> {
  const found = new Map<string, string>();
  const end = text.lastIndexOf(endOfState);
  const lines = (end === -1 ? text : text.slice(0, end)).split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    for (const [form, kind, closed] of forms) {
      const name = form.exec(line)?.[1];
      if (name === undefined) continue;
      const from = at;
      while (at < lines.length - 1 && !closed(lines.slice(from, at + 1))) at++;
      const whole = lines.slice(from, at + 1).join("\n");
      if (kind !== "variable" || !own.test(name))
        found.set(`${kind} ${name}`, kind === "exported" ? `\\builtin export -f ${name}` : whole);
      break;
    }
  }
  return found;
}

type Lines = readonly string[];
const atOnce = (): boolean => true;
const withoutPairs = (lines: Lines, pairs: RegExp): string => lines.join("\n").replace(pairs, "");
const noneOpen = (lines: Lines): boolean =>
  !/["']/.test(withoutPairs(lines, /\$'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"/g));
const noSingleOpen = (lines: Lines): boolean => !/'/.test(withoutPairs(lines, /\\'|'[^']*'/g));

/** Definitions by their first line, with their kind, and the end of their last line. */
const forms: readonly (readonly [
  RegExp,
  "exported" | "function" | "variable" | "alias" | "as it is",
  (lines: Lines) => boolean,
])[] = [
  [/^declare -fx (\S+)$/, "exported", atOnce],
  [/^declare -[-A-Za-z]+ ([A-Za-z_]\w*)(?:=|$)/, "variable", noneOpen],
  [/^alias (?:-- )?([^=\s]+)=/, "alias", noSingleOpen],
  [/^(\S+) \(\) $/, "function", (lines) => lines.at(-1) === "}"],
  [/^(umask |\[\[ \$BASHOPTS ==.*|shopt .*)/, "as it is", atOnce],
];

function forget(name: string): string {
  const [kind, what = ""] = name.split(" ");
  if (kind === "function") return `\\builtin unset -f ${what}`;
  if (kind === "alias") return `\\builtin unalias -- ${shellQuote(what)} 2>/dev/null`;
  return kind === "variable" ? `\\builtin unset -v ${what} 2>/dev/null` : "";
}

const own =
  /^(?:_|(?:OLD)?PWD|BASH\w*|SHELLOPTS|COMP_WORDBREAKS|DIRSTACK|EPOCH\w+|GROUPS|HISTCMD|LINENO|S?RANDOM|SECONDS|PIPESTATUS|FUNCNAME|PPID|E?UID)$/;

/**
 * True for a variable that only holds a value: it tells no program where programs, libraries or settings are, what a
 * shell does with a line, which program is run for a purpose, or whom to trust and speak to.
 */
const isPlain = (name: string): boolean => !own.test(name) && !ruling.test(name) && !telling.test(name);

/** Ends of variables by which programs are told something. */
const telling = new RegExp(
  `_(?:${`proxy PROXY PATHS? OPTS OPTIONS ARGS CMD COMMAND PRELOAD PLUGINS? MODULES? CONFIG CONFIG_FILE RC RCFILE INIT
  PROFILE EXECUTABLE WRAPPER LAUNCHER SHELL BIN HOME HOOKS? AGENT LOADER BROWSER TERMINAL PROGRAM INTERPRETER COMPILER
  LINKER STARTUP DRIVERS? FILENAMES ENDPOINT REGISTRY INDEX_URL API_BASE BASE_URL RSH ADDOPTS OPT DEFAULTS CONFIGDIR
  CONFIG_DIR CA_BUNDLE`
    .split(/\s+/)
    .join("|")})$`,
);

const ruling = new RegExp(
  `^(?:${`PATH IFS ENV HOME SHELL CDPATH GLOBIGNORE EXECIGNORE FIGNORE FPATH ZDOTDIR INPUTRC TMPDIR TEMP TMP PS[0-4]
  PROMPT_COMMAND PROMPT_DIRTRIM HOSTFILE FCEDIT histchars POSIXLY_CORRECT HIST\\w* MAIL\\w* TERM\\w* LD_\\w+ DYLD_\\w+
  MALLOC_\\w+ GLIBC_\\w+ GCONV_PATH LOCPATH NLSPATH LC_\\w+ LANG\\w* GIT_\\w+ GIT SSH_\\w+ SUDO_\\w+ XDG_\\w+
  DBUS_\\w+ DISPLAY WAYLAND_\\w+ XAUTHORITY \\w*PAGER \\w*EDITOR VISUAL BROWSER LESS\\w* \\w*ASKPASS NODE_\\w+
  npm_\\w+ NPM_\\w+ YARN_\\w+ PNPM_\\w+ BUN_\\w+ DENO_\\w+ COREPACK_\\w+ PYTHON\\w* PIP_\\w+ UV_\\w+ VIRTUAL_ENV
  CONDA_\\w+ POETRY_\\w+ PERL\\w* RUBY\\w* GEM_\\w+ BUNDLE_\\w+ LUA_\\w+ PHP\\w* \\w*JAVA\\w* CLASSPATH JDK_\\w+
  MAVEN_\\w+ GRADLE_\\w+ SBT_\\w+ CC CXX CPP LD AR AS NM CFLAGS CXXFLAGS CPPFLAGS LDFLAGS \\w*FLAGS MAKE\\w*
  CMAKE_\\w+ RUST\\w* CARGO_\\w+ GO\\w+ TAR_OPTIONS GREP_OPTIONS GZIP ZIPOPT UNZIP CURL_\\w+ WGETRC SYSTEM_WGETRC
  SSL_\\w+ OPENSSL_\\w+ REQUESTS_CA_BUNDLE GNUPGHOME GPG_\\w+ DOCKER_\\w+ CONTAINER_\\w+ KUBECONFIG HELM_\\w+ AWS_\\w+
  AZURE_\\w+ GOOGLE_\\w+ CLOUDSDK_\\w+ RIPGREP_CONFIG_PATH FZF_\\w+ BAT_\\w+ EMACS\\w* VIM\\w* EXINIT MYVIMRC GVIMINIT
  NVIM_\\w+ AWKPATH AWKLIBPATH TCLLIBPATH SVN_\\w+ HG\\w+ ASDF_\\w+ MISE_\\w+ NVM_\\w+ RBENV_\\w+ PYENV_\\w+
  DIRENV_\\w+ PKG_CONFIG\\w* ACLOCAL_PATH MANPATH INFOPATH PITH_\\w+ CLAUDE_\\w+ OPENAI_\\w+ ANTHROPIC_\\w+
  DEBIAN_FRONTEND HOSTALIASES RESOLV_HOST_CONF LOCALDOMAIN RES_OPTIONS FIGNORE OPTIND DOTNET_\\w+ COMPlus_\\w+
  CORECLR_\\w+ MONO_\\w+ TF_\\w+ ANSIBLE_\\w+ VAULT_\\w+ NIX_\\w+ HOMEBREW_\\w+ TMUX\\w* KRB5\\w* GTK\\w* QT_\\w+
  ERL_\\w+ JULIA_\\w+ R_\\w+ ELECTRON_\\w+ RSYNC_\\w+ CVS\\w* PYTEST_\\w+ COVERAGE_\\w+ TOX_\\w+ FLASK_\\w+
  DJANGO_\\w+ IPYTHON\\w* JUPYTER\\w* MPL\\w+ TEX\\w+ BIB\\w+ shell_escape\\w* open(?:in|out)_any MAN\\w+ MORE
  MOST_\\w+ GROFF_\\w+ TS_NODE_\\w+ BABEL_\\w+ ESLINT_\\w+ JEST_\\w+ BAZEL\\w* MIX_\\w+ OPAM\\w+ OCAML\\w+ GHC\\w*
  CABAL_\\w+ SWIFT_\\w+ DEVELOPER_DIR SDKROOT ZIG_\\w+ CONAN_\\w+ VCPKG_\\w+ CHROME_\\w+ PUPPETEER_\\w+
  PLAYWRIGHT_\\w+ PSQLRC PG\\w+ MYSQL_\\w+ GDB\\w* MAGICK_\\w+ GS_\\w+`
    .split(/\s+/)
    .join("|")})$`,
);

const textOf = (file: string): string => readFileSync(file, "latin1");
const dataOf = (file: string): string =>
  readRegular(file, { maxBytes: 16 * 1024 * 1024, links: "refuse" })?.toString("latin1") ?? "";
