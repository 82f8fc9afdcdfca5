/** Names of variables by which programs run, load or trust something else than they would. */
const steering =
  /^(?:PATH|IFS|ENV|BASH_\w+|BASHOPTS|SHELLOPTS|PS[0-4]|HOME|PWD|OLDPWD|ZDOTDIR|CDPATH|GLOBIGNORE|EXECIGNORE|FPATH|INPUTRC|PROMPT_COMMAND|HISTFILE|LD_\w+|DYLD_\w+|GCONV_PATH|LOCPATH|NLSPATH|GLIBC_TUNABLES|XDG_(?:CONFIG|DATA)_\w+|NODE_(?:OPTIONS|PATH|EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED)|PYTHON(?:PATH|STARTUP|HOME|INSPECT|BREAKPOINT|WARNINGS|USERBASE|PLATLIBDIR)|PERL(?:5LIB|5OPT|5DB|LIB)|RUBY(?:OPT|LIB|SHELL)|GEM_(?:HOME|PATH)|LUA_\w+|PHPRC|PHP_INI_SCAN_DIR|_?JAVA_\w*OPT\w*|JDK_JAVA_OPTIONS|CLASSPATH|MAVEN_OPTS|GRADLE_OPTS|RIPGREP_CONFIG_PATH|FZF_DEFAULT_\w+|LESS(?:OPEN|CLOSE|KEY\w*)?|G?N?U?MAKEF\w+|MFLAGS|MAKE|SHELL|RUSTC\w*|RUSTDOC\w*|RUSTFLAGS|CARGO_(?:BUILD|TARGET|HOME|ALIAS)\w*|C[CX]X?|LD|AR|CMAKE_\w+_LAUNCHER|TAR_OPTIONS|TAPE|DEBUGINFOD_URLS|G?UN?ZIP\w*|ZIP(?:INFO|OPT)\w*|BC_ENV_ARGS|MAGIC|GREP_OPTIONS|GZIP|CURL_\w+|WGETRC|SYSTEM_WGETRC|SSL_CERT_\w+|OPENSSL_\w+|GNUPGHOME|DOCKER_\w+|KUBECONFIG|(?:npm|NPM)_(?:config|CONFIG)_\w+|PIP_\w+|UV_\w+|GO(?:FLAGS|TOOLCHAIN|PROXY|ENV|ROOT)|TERM(?:INFO|CAP)\w*|EMACSLOADPATH|VIMINIT|EXINIT|G?MYVIMRC|GVIMINIT|AWK\w*PATH|TCLLIBPATH|(?:https?|all|HTTPS?|ALL)_(?:proxy|PROXY)|PITH_\w+|ASDF_\w+|BUN_\w+|DENO_\w+|YARN_\w+|(?:GIT_|MAN|BAT_|DELTA_)?PAGER|(?:GIT_|GIT_SEQUENCE_|SVN_|HG|FC|BUNDLE_)?EDIT(?:OR)?|VISUAL|BROWSER|\w*ASKPASS|GIT_(?!AUTHOR_|COMMITTER_|TERMINAL_PROMPT|OPTIONAL_LOCKS|MERGE_AUTOEDIT|PAGER_IN_USE|ADVICE|REFLOG_ACTION|CEILING)\w+)$/;

/** Values of such variables that name nothing. */
const harmless =
  /^(?:|\d+|true|false|cat|less|more|vi|vim|nano|:|gcc|g\+\+|clang(?:\+\+)?|cc|c\+\+|\/bin\/(?:ba)?sh|-?j\d+|--max[-_]old[-_]space[-_]size=\d+|-mod=\w+)$/;

/** True for a variable that steers programs, unless its value names nothing. */
export const steers = (name: string, value?: string): boolean =>
  steering.test(name) &&
  !(value !== undefined && harmless.test(value) && !/^(?:PATH|IFS|HOME|PWD|LD_\w+|GIT_CONFIG\w*)$/.test(name));
