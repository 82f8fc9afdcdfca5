import { afterAll } from "bun:test";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openArtifacts } from "@pith/agent";
import { openFiles } from "../files/files.ts";
import { Snapshots } from "../snapshot/snapshot.ts";
import { Conflicts } from "../url/conflicts.ts";
import { Router } from "../url/router.ts";
import { capabilitiesIn } from "./capabilities.ts";

/** A throw-away project with what tools of one take: its files, its addresses, what was shown of it. */
export function openProject(name: string) {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), `pith-${name}-`)));
  afterAll(() => rmSync(cwd, { recursive: true, force: true }));
  const home = join(cwd, "home");
  const sources = {
    artifacts: openArtifacts(join(cwd, "session.jsonl")),
    sessionDir: join(cwd, "session"),
    project: cwd,
    home,
    conflicts: new Conflicts(),
    capabilities: capabilitiesIn(cwd, home),
  };
  return {
    cwd,
    files: openFiles({ cwd, userHome: home, cacheDir: cwd, path: undefined }),
    urls: new Router(sources),
    snapshots: new Snapshots(undefined),
    at: (path: string) => join(cwd, path),
    put(path: string, content: string | Uint8Array = "") {
      mkdirSync(join(cwd, path, ".."), { recursive: true });
      writeFileSync(join(cwd, path), content);
    },
  };
}
