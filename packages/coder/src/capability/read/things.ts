import { basename, dirname, join } from "node:path";
import { isRecord } from "@pith/kit";
import type { Candidate, ConfigPath, Reader } from "../item.ts";
import type { CapabilityKind, LanguageServer, Server, Shapes } from "../kind/kind.ts";
import { dataOf, formatOf, frontOf, listIn, strange, textIn, textsIn } from "../parse.ts";
import { agentOf, itemName } from "./words.ts";

// Readers of things that execute, open or show something once they are loaded. Here they are only described.

export type Fields = Readonly<Record<string, unknown>>;

/** Makes a reader of a group of fields, whose names are the names of the items. A broken file is one invalid item. */
export const rowsIn =
  <K extends CapabilityKind>(
    empty: Shapes[K],
    pick: (data: Fields, at: ConfigPath) => unknown,
    read: (row: Fields, name: string, at: ConfigPath) => Candidate<K> | readonly Candidate<K>[],
  ): Reader<K> =>
  (text, at) => {
    const data = dataOf(text, formatOf(at.path));
    if (!data.ok) return [{ name: basename(at.path), data: empty, line: data.line, wrong: data.text }];
    const rows = pick(data.value, at);
    if (!isRecord(rows)) return [];
    const all = Object.entries(rows);
    const more = {
      name: basename(at.path),
      data: empty,
      wrong: `it holds more than ${mostRows}; the rest is not read`,
    };
    const found = all.slice(0, mostRows).flatMap(([name, row]) => {
      const line = lineOf(text, name);
      if (!isRecord(row) && !Array.isArray(row))
        return [{ name, data: empty, line, wrong: "it is no group of fields" }];
      const found = read(row as Fields, name, at);
      return (Array.isArray(found) ? (found as Candidate<K>[]) : [found as Candidate<K>]).map((one) => ({
        line,
        ...one,
      }));
    });
    return all.length > mostRows ? [...found, more] : found;
  };

const mostRows = 500;

/** Returns the line on which a name first stands as a key. */
function lineOf(text: string, name: string): number | undefined {
  const at = [`"${name}"`, `.${name}]`, `${name}:`].map((key) => text.indexOf(key)).find((place) => place !== -1);
  return at === undefined ? undefined : text.slice(0, at).split("\n").length;
}

const noServer: Server = { transport: "stdio" };
const serverFields = [
  ...["command", "args", "env", "environment", "cwd", "url", "httpUrl", "serverUrl", "headers", "http_headers"],
  ...["type", "transport", "transportType", "timeout", "startup_timeout_sec", "startup_timeout_ms", "enabled"],
  ...["disabled", "name", "description"],
];

/** Reads a server, by the field names of any product. */
function serverOf(row: Fields, name: string): Candidate<"mcp"> {
  const line = Array.isArray(row.command) ? row.command.filter((word) => typeof word === "string") : undefined;
  const url = textIn(row.httpUrl) ?? textIn(row.url) ?? textIn(row.serverUrl);
  const type = textIn(row.type) ?? textIn(row.transport) ?? textIn(row.transportType);
  const sse = type === "sse" || (type === undefined && row.httpUrl === undefined && /\/sse\/?$/.test(url ?? ""));
  const seconds = row.startup_timeout_sec;
  const ms = row.timeout ?? row.startup_timeout_ms ?? (typeof seconds === "number" ? seconds * 1000 : undefined);
  const data: Server = {
    transport: url === undefined ? "stdio" : sse ? "sse" : "http",
    command: line?.[0] ?? textIn(row.command),
    args: line?.slice(1) ?? (Array.isArray(row.args) ? row.args.map(String) : undefined),
    env: textsIn(row.env ?? row.environment),
    cwd: textIn(row.cwd),
    url,
    headers: textsIn(row.headers ?? row.http_headers),
    timeoutMs: typeof ms === "number" && ms >= 0 ? ms : undefined,
  };
  const off = row.enabled === false || row.disabled === true ? "its file says so" : undefined;
  return { name, data, unmapped: strange(row, serverFields), off };
}

export const serversIn = (pick: (data: Fields, at: ConfigPath) => unknown): Reader<"mcp"> =>
  rowsIn(noServer, pick, serverOf);
/** Servers below the key `mcpServers`, as most products write them. */
export const mcpServers = serversIn(({ mcpServers }) => mcpServers);

const noLanguage: LanguageServer = { command: "", args: [], files: [], roots: [] };
const languageFields = [
  ...["command", "args", "fileTypes", "extensions", "extensionToLanguage", "rootMarkers", "env", "initOptions"],
  ...["initializationOptions", "initialization", "settings", "disabled", "enabled", "name"],
];

function languageOf(row: Fields, name: string): Candidate<"lsp"> {
  const words = Array.isArray(row.command) ? row.command.map(String) : undefined;
  const files = isRecord(row.extensionToLanguage)
    ? Object.keys(row.extensionToLanguage)
    : (listIn(row.fileTypes ?? row.extensions) ?? []);
  const data: LanguageServer = {
    command: words?.[0] ?? textIn(row.command) ?? "",
    args: words?.slice(1) ?? (Array.isArray(row.args) ? row.args.map(String) : []),
    files: files.map((end) => (end.startsWith(".") ? end : `.${end}`)),
    roots: listIn(row.rootMarkers) ?? [],
    env: textsIn(row.env),
    options: row.initOptions ?? row.initializationOptions ?? row.initialization,
    settings: row.settings,
  };
  const off = row.enabled === false || row.disabled === true ? "its file says so" : undefined;
  return { name, data, unmapped: strange(row, languageFields), off };
}

export const languagesIn = (pick: (data: Fields) => unknown): Reader<"lsp"> => rowsIn(noLanguage, pick, languageOf);
export const languageServers = languagesIn(({ servers, ...rest }) => servers ?? rest);

/** Reads the permissions of another agent, by verdict or by tool: each line of them is an item. */
const permissionsIn = (pick: (data: Fields) => unknown): Reader<"permission"> =>
  rowsIn<"permission">(
    { verdict: "" },
    (data) => {
      const all = pick(data);
      if (!isRecord(all)) return {};
      const lines = Object.entries(all).map(([name, row]) => [name, linesIn(row)] as const);
      return Object.fromEntries(lines.filter(([name, row]) => row.length > 0 && name !== "defaultMode"));
    },
    (rows, name) =>
      (rows as unknown as readonly string[]).map((line) => ({ name: `${name}: ${line}`, data: { verdict: name } })),
  );

const linesIn = (row: unknown): string[] =>
  typeof row === "string"
    ? [row]
    : isRecord(row)
      ? Object.entries(row).map(([pattern, verdict]) => `${pattern} ${String(verdict)}`)
      : [...(listIn(row) ?? [])];

export const permissions = permissionsIn(({ permissions }) => permissions);
export const opencodePermissions = permissionsIn(({ permission }) => permission);

/** Reads a tool: a module, a script, or a file that describes one. */
export const tool: Reader<"tool"> = (text, at) => {
  const file = basename(at.path);
  const name = /^index\.\w+$/.test(file) ? basename(dirname(at.path)) : itemName(at);
  if (/\.(?:json|md)$/.test(file)) {
    const data = file.endsWith(".md") ? { ok: true as const, value: frontOf(text).fields } : dataOf(text, "json");
    const empty = { description: "", runs: "declared" as const };
    if (!data.ok) return [{ name, data: empty, line: data.line, wrong: data.text }];
    const description = textIn(data.value.description) ?? "";
    return [{ name: textIn(data.value.name) ?? name, data: { ...empty, description } }];
  }
  return [{ name, data: { description: "", runs: /\.[cm]?[tj]s$/.test(file) ? "module" : "script" } }];
};

export const extension: Reader<"extension"> = (_, at) => {
  const file = basename(at.path);
  const name = /^index\.\w+$/.test(file) ? basename(dirname(at.path)) : itemName(at);
  return [{ name, data: { entry: at.path } }];
};

/** Reads a package that names its modules: below `pith`, `omp` or `pi` in package.json, or in a Gemini manifest. */
export const extensionManifest: Reader<"extension"> = (text, at) => {
  const folder = dirname(at.path);
  const data = dataOf(text, "json");
  const name = basename(folder);
  if (!data.ok) return [{ name, data: { entry: at.path }, line: data.line, wrong: data.text }];
  const { pith, omp, pi } = data.value;
  const declared = [pith, omp, pi].find(isRecord);
  const entries = listIn(declared?.extensions);
  if (!entries)
    return declared === undefined && basename(at.path) === "package.json" ? [] : [{ name, data: { entry: at.path } }];
  return entries.map((entry, at) => ({
    name: entries.length === 1 ? name : `${name}:${at + 1}`,
    data: { entry: join(folder, entry) },
  }));
};

export const theme: Reader<"theme"> = (text, at) => {
  const data = dataOf(text, formatOf(at.path));
  const name = itemName(at);
  if (!data.ok) return [{ name, data: { text }, line: data.line, wrong: data.text }];
  return [{ name: textIn(data.value.name) ?? name, data: { text } }];
};

const sshFields = ["host", "username", "user", "port", "key", "keyPath", "description", "compat", "name"];

export const sshHosts: Reader<"ssh"> = rowsIn<"ssh">(
  { host: "", about: "" },
  ({ hosts }) => hosts,
  (row, name) => ({
    name,
    data: {
      host: textIn(row.host) ?? "",
      user: textIn(row.username) ?? textIn(row.user),
      port: portOf(row.port),
      key: textIn(row.keyPath) ?? textIn(row.key),
      about: textIn(row.description) ?? "",
    },
    warning:
      row.port !== undefined && portOf(row.port) === undefined ? "its port is no number from 1 to 65535" : undefined,
    unmapped: strange(row, sshFields),
  }),
);

const sshWords: Readonly<Record<string, (data: Shapes["ssh"], value: string) => void>> = {
  hostname: (data, value) => (data.host = value),
  user: (data, value) => (data.user = value),
  port: (data, value) => (data.port = portOf(value)),
  identityfile: (data, value) => (data.key = value),
};

/** Reads the hosts in the configuration of ssh itself, without patterns. */
export const sshConfig: Reader<"ssh"> = (text) => {
  const found: Candidate<"ssh">[] = [];
  let open: Candidate<"ssh">[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const [, word = "", value = ""] = /^\s*(\w+)[\s=]+(.*?)\s*$/.exec(line) ?? [];
    const field = word.toLowerCase();
    for (const { data } of open) sshWords[field]?.(data, value);
    if (field !== "host" && field !== "match") continue;
    const names = field === "host" ? value.split(/\s+/).filter((name) => !/[*?!]/.test(name)) : [];
    open = names.map((name) => ({ name, line: index + 1, data: { host: name, about: "" } }));
    found.push(...open);
  }
  return found;
};

function portOf(value: unknown): number | undefined {
  const port = typeof value === "string" ? Number(value) : value;
  return typeof port === "number" && Number.isInteger(port) && port > 0 && port < 65536 ? port : undefined;
}

/** Reads agents that are fields of a file of data. */
export const agentsIn = (pick: (data: Fields) => unknown): Reader<"agent"> =>
  rowsIn<"agent">({ description: "", prompt: "" }, pick, (row, name) => agentOf(row, name, ""));

/** Reads commands that are fields of a file of data. */
export const templatesIn = (pick: (data: Fields) => unknown): Reader<"command"> =>
  rowsIn<"command">(
    { description: "", hint: "", body: "", style: "claude" },
    pick,
    ({ template, description, ...more }, name) => ({
      name,
      data: { description: textIn(description) ?? "", hint: "", body: textIn(template) ?? "", style: "claude" },
      unmapped: Object.keys(more),
    }),
  );
