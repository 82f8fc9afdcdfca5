import type { CommandEffects } from "../command-effects.ts";
import type { Arg } from "./argument.ts";

/** Variables that name a program which others run. */
const commands = new Set(
  `PAGER GIT_PAGER MANPAGER BAT_PAGER DELTA_PAGER EDITOR VISUAL FCEDIT GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_SSH
  GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_ASKPASS GIT_PROXY_COMMAND SSH_ASKPASS SUDO_ASKPASS BROWSER LESSOPEN
  LESSCLOSE PROMPT_COMMAND SVN_EDITOR HGEDITOR RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTC RUSTDOC CC CXX LD AR
  MAKE SHELL CMAKE_C_COMPILER_LAUNCHER CMAKE_CXX_COMPILER_LAUNCHER npm_config_script_shell NPM_CONFIG_SCRIPT_SHELL
  npm_config_git BUNDLE_EDITOR`.split(/\s+/),
);

/** Variables by which a program loads or trusts something else than it would. */
const loading =
  /^(?:PATH|IFS|ENV|BASH_ENV|BASHOPTS|SHELLOPTS|PS[0-4]|HOME|PWD|OLDPWD|ZDOTDIR|CDPATH|GLOBIGNORE|EXECIGNORE|FPATH|INPUTRC|LD_\w+|DYLD_\w+|GCONV_PATH|LOCPATH|NLSPATH|XDG_(?:CONFIG|DATA)_\w+|NODE_(?:OPTIONS|PATH|EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED)|PYTHON(?:PATH|STARTUP|HOME|INSPECT|BREAKPOINT|WARNINGS|USERBASE|PLATLIBDIR)|PERL(?:5LIB|5OPT|5DB|LIB)|RUBY(?:OPT|LIB|SHELL)|GEM_(?:HOME|PATH)|LUA_\w+|PHPRC|PHP_INI_SCAN_DIR|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|CLASSPATH|MAVEN_OPTS|GRADLE_OPTS|JAVA_OPTS|RIPGREP_CONFIG_PATH|FZF_DEFAULT_\w+|LESS|LESSKEY\w*|MAKEFLAGS|MAKEFILES|GNUMAKEFLAGS|MFLAGS|RUSTFLAGS|CARGO_(?:BUILD_RUSTC\w*|TARGET_\w+|HOME|ALIAS_\w+)|TAR_OPTIONS|TAPE|BASH_LOADABLES_PATH|HISTFILE|GLIBC_TUNABLES|DEBUGINFOD_URLS|UNZIPOPT|ZIPINFO(?:OPT)?|BC_ENV_ARGS|MAGIC|GREP_OPTIONS|GZIP|ZIPOPT|UNZIP|CURL_HOME|CURL_CA_BUNDLE|WGETRC|SYSTEM_WGETRC|SSL_CERT_\w+|OPENSSL_\w+|GNUPGHOME|DOCKER_(?:HOST|CONFIG)|KUBECONFIG|(?:npm|NPM)_(?:config|CONFIG)_\w+|PIP_\w+|UV_\w+|GOFLAGS|GOTOOLCHAIN|GOPROXY|GOENV|GOROOT|TERMINFO\w*|TERMCAP|EMACSLOADPATH|VIMINIT|EXINIT|MYVIMRC|GVIMINIT|AWK(?:PATH|LIBPATH)|TCLLIBPATH|(?:https?|all|HTTPS?|ALL)_(?:proxy|PROXY)|PITH_\w+|ASDF_\w+|BUN_CONFIG_\w+|DENO_DIR|YARN_\w+)$/;

/** Those of git's that only say who, when and how much. */
const harmlessGit =
  /^GIT_(?:AUTHOR_\w+|COMMITTER_\w+|TERMINAL_PROMPT|OPTIONAL_LOCKS|MERGE_AUTOEDIT|PAGER_IN_USE|ADVICE|PS1_\w+|REFLOG_ACTION|DISCOVERY_ACROSS_FILESYSTEM|CEILING_DIRECTORIES)$/;

/** Values that name nothing. */
const harmless = new Map(
  Object.entries({
    NODE_OPTIONS:
      /^(?:\s*--(?:max[-_]old[-_]space[-_]size=\d+|trace-warnings|no-warnings|trace-deprecation|enable-source-maps|unhandled-rejections=\w+|experimental-vm-modules|openssl-legacy-provider)(?=\s|$))*\s*$/,
    IFS: /^[\s,;:|/]*$/,
    LESS: /^[-a-zA-Z]*$/,
    RUSTFLAGS: /^(?:\s*-[DAW]\s*[\w-]+(?=\s|$))*\s*$/,
    MAKEFLAGS: /^\s*-?j?\d*\s*$/,
    PYTHONWARNINGS: /^\w+$/,
    PYTHONPATH: /^(?:\.|\.\/?\w+|\w+)$/,
    GOFLAGS: /^-(?:mod=\w+|count=\d+|v)$/,
    PIP_DISABLE_PIP_VERSION_CHECK: /^\d$/,
  }),
);

const quiet =
  /^(?:cat|true|false|:|less|more|vi|vim|nano|gcc|g\+\+|clang|clang\+\+|cc|c\+\+|\/bin\/(?:ba)?sh|\/usr\/bin\/\w+|)$/;

/** What follows for programs when a variable is set. */
export function setVariable(name: string, value: Arg | undefined, does: CommandEffects): undefined {
  const text = value?.text;
  // A sum looks for commands in what a variable holds.
  if (text !== undefined && hidesCommand(text)) does.opaque(`${name} holds a command that a sum would run`);
  if (text !== undefined && harmless.get(name)?.test(text)) return;
  if (commands.has(name)) {
    if (text === undefined) return does.opaque(`${name} names a program that is known when it runs`);
    if (quiet.test(text)) return;
    does.effect("exec");
    return does.scene.script(text);
  }
  const git = name.startsWith("GIT_") && !harmlessGit.test(name) && !/^GIT_TRACE/.test(name);
  const traced = /^GIT_TRACE/.test(name) && !/^(?:|[012]|true|false)$/.test(text ?? "/");
  if (git || traced || loading.test(name) || /^BASH_FUNC_/.test(name)) does.opaque(`${name} changes what programs do`);
}

/** Whether a text, taken for a sum, would run a command: `a[$(…)]`. */
export function hidesCommand(text: string): boolean {
  const bracket = text.indexOf("[");
  return bracket !== -1 && (text.includes("$(", bracket) || text.includes("`", bracket));
}
