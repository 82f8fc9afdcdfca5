import type { CallView, CommandAccess } from "@pith/agent";
import { isAnothers } from "@pith/host";
import { fail, fill, ok, type Result } from "@pith/kit";
import type { JudgedPart } from "../judge/judged.ts";
import type { AroundCommand } from "./access.ts";
import beyond from "./beyond.md" with { type: "text" };

interface Surroundings {
  sandbox: Pick<AroundCommand, "missingPorts" | "refuses"> & { reach(): AroundCommand["reach"] };
  scope: "main" | "child";
  /** True where somebody can be asked. */
  asks: boolean;
  settings: { get(key: "sandbox.mode"): string | undefined };
}

/** Works out what a yes to parts of a command gives it in the sandbox; a failure is why nobody is asked. */
export async function callAccess(
  { sandbox, scope, asks, settings }: Surroundings,
  { intent, input }: CallView,
  parts: readonly JudgedPart[],
): Promise<Result<CommandAccess | undefined, "access">> {
  if (!intent.confined || !intent.judged || parts.length === 0) return ok(undefined);
  const { accessFor } = await import("./access.ts");
  const { needs } = input as { needs?: string };
  const { roots, temporary, given, kept, isDirectory } = intent.judged.state;
  const access = await accessFor(parts, {
    roots,
    temporary,
    given,
    kept,
    isDirectory,
    mode: settings.get("sandbox.mode") === "read-only" ? "read-only" : "workspace",
    // With the network of this machine it reaches whatever that does.
    refuses: async (host) => (needs === "network" ? undefined : sandbox.refuses(host)),
    reach: sandbox.reach(),
    missingPorts: (ports) => sandbox.missingPorts(ports),
    isForeign: isAnothers,
  });
  if (!access.ok) return fail("access", fill(beyond, { why: access.message, way: asks ? askAgain : alone }).trim());
  const { leaves, writes = [], hosts = [] } = access.value ?? {};
  if (scope === "child" && (leaves || writes.length + hosts.length > 0)) return fail("access", onlyLooks);
  return access;
}

const alone = "There is nobody to ask. Do without it, or tell the user what they could set.";
const askAgain =
  'If the task needs it, send it again with `needs: "network"` (the network of this machine) or `needs: "outside"` (no sandbox) and a `reason`; the user is asked.';
const onlyLooks = "A sub-agent only looks: its commands do not leave the read-only sandbox. Report what is missing.";
