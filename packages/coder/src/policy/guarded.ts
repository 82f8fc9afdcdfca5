import { isInside } from "@pith/kit";
import type { State } from "./state.ts";

/** Files that hold keys: nobody reads them by the way. */
const keyStores = `.ssh .aws .gnupg .azure .kube .netrc .npmrc .pypirc .git-credentials .vault-token .password-store
  .docker/config.json .config/gh .config/gcloud .config/git/credentials .local/share/keyrings .cargo/credentials
  .cargo/credentials.toml .mozilla .config/google-chrome .config/chromium .gem/credentials .terraform.d .pgpass
  .my.cnf .config/op library/keychains`.split(/\s+/);

const keys = [
  /^\/etc\/(?:shadow|gshadow|sudoers|master\.passwd)/,
  /^\/etc\/ssh\/.*key/,
  /^\/proc\/[^/]+\/(?:environ|mem)$/,
  /(?:^|\/)id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
];

/** Below a home: what a shell, a desktop or a tool of the user runs by itself. */
const startUp =
  /^(?:\.(?:bashrc|bash_profile|bash_login|bash_logout|bash_aliases|profile|zshrc|zshenv|zprofile|zlogin|zlogout|kshrc|cshrc|tcshrc|login|inputrc|xprofile|xinitrc|xsessionrc|gitconfig|vimrc|pam_environment|hushlogin|screenrc|tmux\.conf)|\.config\/(?:fish|git|autostart|systemd|environment\.d|nvim|direnv)(?:\/.*)?|library\/launchagents(?:\/.*)?|\.local\/(?:bin|share\/applications)(?:\/.*)?|bin(?:\/.*)?)$/;

const system = /^\/(?:etc\/(?:profile|bash|zsh|cron|environment|rc|init|systemd|ld\.so)|var\/spool\/cron)/;

/** Of whatever folder: what runs on the machine of whoever works there. */
const written: readonly (readonly [RegExp, string])[] = [
  [/(?:^|\/)(?:\.git|git~1)(?:\/|$)/, "what its directory names is run by git"],
  [/(?:^|\/)(?:\.husky|\.githooks)(?:\/|$)|(?:^|\/)(?:\.pre-commit-config\.yaml|\.?lefthook\.ya?ml)$/, "a git hook"],
  [
    /(?:^|\/)\.github(?:\/(?:workflows|actions)(?:\/|$)|$)|(?:^|\/)\.(?:circleci|buildkite|woodpecker|gitea|forgejo)(?:\/|$)|(?:^|\/)(?:\.gitlab-ci\.yml|\.travis\.yml|\.drone\.yml|\.woodpecker\.yml|jenkinsfile|azure-pipelines\.yml|bitbucket-pipelines\.yml|appveyor\.yml|cloudbuild\.yaml)$/,
    "a file that a build server runs",
  ],
  [/(?:^|\/)\.pith(?:\/|$)/, "a file that pith is ruled by"],
  [
    /(?:^|\/)\.vscode\/(?:tasks|settings|launch)\.json$|(?:^|\/)\.(?:idea|devcontainer|cursor|claude)(?:\/|$)|(?:^|\/)\.(?:mcp\.json|envrc)$/,
    "a file that an editor or a shell runs by itself",
  ],
];

/** Why a path is asked about in every mode; undefined where it is not. It is compared without regard to case. */
export function guarded(path: string, effect: "read" | "write", { home, pithHome }: State): string | undefined {
  const low = path.toLowerCase();
  const below = isInside(home, path) ? low.slice(home.length + 1) : undefined;
  const store = below !== undefined && keyStores.some((name) => below === name || below.startsWith(`${name}/`));
  if (store || keys.some((key) => key.test(low))) return `${path} may hold keys`;
  if (effect === "read") return undefined;
  if ((below !== undefined && startUp.test(below)) || system.test(low)) return `${path} runs when a session starts`;
  if (isInside(pithHome, path)) return `${path} is a file that pith is ruled by`;
  const why = written.find(([pattern]) => pattern.test(low))?.[1];
  return why === undefined ? undefined : `${path} is written: ${why}`;
}
