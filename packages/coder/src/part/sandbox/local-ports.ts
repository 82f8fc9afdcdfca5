import { join } from "node:path";
import type { Outcome, RunData } from "@pith/agent";
import { readPlain } from "@pith/kit";
import { portsIn } from "../../policy/access.ts";
import type { Grant } from "../../policy/rule/schema.ts";

/** Ports of this machine that a failed command in the sandbox may have meant: those of its words, errors and project. */
export function wantedPorts({ data, text, failed }: Outcome, cwd: string): readonly number[] {
  const run = data as RunData;
  if (!failed || run.confined !== true) return [];
  const lines = text.split("\n").filter((line) => unreached.test(line));
  const project = lines.length > 0 ? projectPorts(cwd) : [];
  return [...new Set([...portsIn(run.command), ...portsIn(lines.join("\n")), ...project])];
}

/** Words of programs that did not reach a server. */
const unreached =
  /refused|ECONNREFUSED|ECONNRESET|(?:fail|unable|could ?n[o']t|cannot|can't)[^.]{0,20} (?:to )?connect|connect(?:ion)? error|no server/i;

/** Ports that files of a project name: containers, variables, scripts of a dev server. */
function projectPorts(cwd: string): number[] {
  const read = (name: string) => {
    const file = readPlain(join(cwd, name), { maxBytes: 256 * 1024 });
    return file.ok ? file.value : "";
  };
  const compose = ["compose.yml", "compose.yaml", "docker-compose.yml", "docker-compose.yaml"].map(read).join("\n");
  const variables = [".env", ".env.local", ".env.development", ".env.test"].map(read).join("\n");
  const found = [
    ...compose.matchAll(/^\s*-\s*["']?(?:[\d.]+:)?(\d{2,5}):\d+/gm),
    ...variables.matchAll(/^\s*\w*PORT\s*=\s*["']?(\d{2,5})/gm),
    ...read("package.json").matchAll(/(?:--port[= ]|-p |PORT=)(\d{2,5})/g),
  ];
  return [...portsIn(variables), ...found.map(([, port]) => Number(port))].slice(0, mostPorts);
}

const mostPorts = 20;

/** The answer about a port as it is kept for a project, and the ports that answers were about. */
export const portGrant = (port: number): Grant => ({ effect: "net", domain: `localhost:${port}` });
export const grantedPorts = (grants: readonly Grant[]): number[] =>
  grants.flatMap(({ effect, domain }) => {
    const port = effect === "net" ? /^localhost:(\d{1,5})$/.exec(domain ?? "")?.[1] : undefined;
    return port === undefined ? [] : [Number(port)];
  });
