import { Capabilities } from "../capability/registry.ts";
import { sources } from "../capability/sources.ts";

/** Opens the capabilities of a project and a home, without any trust. */
export function capabilitiesIn(cwd: string, home: string, userHome = home): Capabilities {
  const capabilities = new Capabilities({
    place: { cwd, root: cwd, home, userHome, env: {} },
    trust: { ask: () => ({ is: "untrusted" }) },
  });
  capabilities.add(...sources);
  return capabilities;
}
