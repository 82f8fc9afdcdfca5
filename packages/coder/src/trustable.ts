import { dirname } from "node:path";
import { repositoryText } from "@pith/host";
import { openCapabilities } from "./capability/open.ts";
import { unusedOfProject } from "./capability/report.ts";
import { diffText } from "./edit/text/diff.ts";
import { type PinnedFile, pin, unpin } from "./policy/trust/pin.ts";
import { gitConfig, openTrust, type TrustState } from "./policy/trust/trust.ts";
import { projectFolders } from "./setting/setting.ts";
import { openSettings } from "./setting-table.ts";

export { isFirst } from "./model/first-told.ts";
export { pin, unpin };

export interface Trustable extends PinnedFile {
  standing: TrustState["is"];
  /** Rights that it has once it is trusted, for people. */
  runs: string | undefined;
  /** The changes since the yes, if known. */
  diff: string | undefined;
}

interface TrustableProject {
  folders: string[];
  items: Trustable[];
  /** A line that names what it brings for other agents and pith does not use. */
  unused: string | undefined;
}

/** Finds everything of a project that needs a yes, as a start in this directory would. */
export async function trustable(cwd: string, home: string): Promise<TrustableProject> {
  const trust = openTrust({ home });
  const settings = await openSettings({ cwd, home, wrong: "is ignored" });
  const capabilities = settings.ok
    ? openCapabilities({ cwd, home, userHome: dirname(home), env: {}, settings: settings.value, trust })
    : undefined;
  const brought = capabilities?.needing() ?? [];
  const items: PinnedFile[] = settings.ok ? [...settings.value.needing, ...brought, ...repositories(cwd)] : [];
  return {
    folders: projectFolders(cwd),
    unused: capabilities && unusedOfProject(capabilities),
    items: items.map(({ kind, folder, name, text }) => {
      const standing = trust.ask({ kind, folder, name }, text);
      const before = standing.is === "changed" ? standing.before : undefined;
      const diff = before === undefined ? undefined : diffText(before, text, name);
      return { kind, folder, name, text, standing: standing.is, runs: runs[kind], diff };
    }),
  };
}

const runs: Readonly<Record<string, string>> = {
  hook: "runs outside the sandbox, with your rights and without pith's keys",
  tool: "offered to the model; runs as a command, judged and sandboxed like one",
};

/** The configurations and hooks of the project's own repositories by which git runs something. */
function repositories(cwd: string): PinnedFile[] {
  return projectFolders(cwd).flatMap((folder) => {
    const text = repositoryText(folder);
    return text === undefined ? [] : [{ kind: "git", folder, name: gitConfig, text }];
  });
}
