import { dirname } from "node:path";
import { openCapabilities } from "./capability/open.ts";
import { diffText } from "./edit/text/between.ts";
import { type PinnedFile, pin, unpin } from "./policy/trust/pin.ts";
import { openTrust, type TrustState } from "./policy/trust/trust.ts";
import { projectFolders } from "./setting/setting.ts";
import { openSettings } from "./setting-table.ts";

export { pin, unpin };

export interface Trustable extends PinnedFile {
  standing: TrustState["is"];
  /** The changes since the yes, if known. */
  diff: string | undefined;
}

/** Finds everything of a project that needs a yes, as a start in this directory would. */
export async function trustable(cwd: string, home: string): Promise<{ folders: string[]; items: Trustable[] }> {
  const trust = openTrust({ home });
  const settings = await openSettings({ cwd, home, wrong: "is passed over" });
  const brought = settings.ok
    ? openCapabilities({ cwd, home, userHome: dirname(home), env: {}, settings: settings.value, trust }).needing()
    : [];
  const items: PinnedFile[] = settings.ok ? [...settings.value.needing, ...brought] : [];
  return {
    folders: projectFolders(cwd),
    items: items.map(({ kind, folder, name, text }) => {
      const standing = trust.ask({ kind, folder, name }, text);
      const before = standing.is === "changed" ? standing.before : undefined;
      const diff = before === undefined ? undefined : diffText(before, text, name);
      return { kind, folder, name, text, standing: standing.is, diff };
    }),
  };
}
