import { openSettings, profileOf } from "@pith/coder";
import { plainText, plural } from "@pith/kit";
import { loadAdmin, type Model, modelName, type ProfileName, type VendorReport } from "@pith/llm";
import { type FlagTable, parseArguments } from "../../argv/parse.ts";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, jsonLine, usage } from "../../io/io.ts";
import type { Command } from "../command.ts";
import { type Column, inColumns, inWindow, printList } from "../list.ts";

export const options = {
  all: { takes: "nothing", about: "also models that cannot be used now" },
  refresh: { takes: "nothing", about: "fetch what is new, and keep it" },
  json: { takes: "nothing", about: "one JSON object per line" },
} as const satisfies FlagTable;

/** `pith models [filter]`: what can be used right now, and why the rest cannot. */
export const models: Command = async (argv, io) => {
  const parsed = parseArguments(options, argv);
  if (!parsed.ok) return usage(io, parsed.message);
  const { flags, words, plain } = parsed.value;
  if (words[0] === "probe") {
    const [name, ...more] = words.slice(1);
    if (name === undefined || more.length > 0) return usage(io, "write pith models probe <model>");
    return (await import("./models-probe.ts")).probeModel(name, flags.json ? "json" : "table", io);
  }
  if (flags.refresh) {
    const code = await refresh(io);
    if (code !== exit.finished) return code;
  }
  const { survey } = await loadAdmin();
  const surveyed = await survey({ env: io.env, home: io.home });
  if (!surveyed.ok) return usage(io, surveyed.message);
  for (const warning of surveyed.value.warnings) complain(io, warning);
  const settings = await openSettings({ cwd: io.cwd, home: io.home, wrong: "is passed over" });
  const profile = (model: Model) => (settings.ok ? profileOf(model, settings.value) : "default");
  const query = [...words, ...plain].join(" ");
  const vendors = await fitting(surveyed.value.vendors, query);
  // One that tells no models still has those that somebody knows by name.
  const usable = vendors.some((vendor) => vendor.usable);
  const fits = usable || (query !== "" && vendors.some((vendor) => vendor.models.length > 0));
  if (flags.json) tellJson(vendors, profile, io);
  else await printList(listOf(vendors, profile, flags.all ? "all" : "usable", io), io);
  if (!usable)
    complain(
      io,
      query === ""
        ? "no model is connected; pith help models tells how"
        : `no model that can be used now fits "${plainText(query)}"`,
    );
  return fits ? exit.finished : exit.unfinished;
};

/** The vendors with those of their models that fit; one that fits by its own name stays without any. */
async function fitting(vendors: readonly VendorReport[], query: string): Promise<VendorReport[]> {
  if (query === "") return [...vendors];
  const { matches } = await loadAdmin();
  const fitting = vendors.map((vendor) => ({
    ...vendor,
    models: vendor.models.filter((model) => matches(query, [`${modelName(model)} ${model.name}`]).length > 0),
  }));
  return fitting.filter(({ id, models }) => models.length > 0 || id.includes(query.toLowerCase()));
}

type Profiling = (model: Model) => ProfileName;

function tellJson(vendors: readonly VendorReport[], profile: Profiling, io: Io): void {
  for (const { id, why } of silentOf(vendors)) complain(io, `${id}: ${plainText(why)}`);
  for (const { usable, why, models, learned } of vendors)
    for (const model of models) {
      const told = { usable, why, profile: profile(model), facts: model, learned: learned?.[model.id] };
      io.out.write(jsonLine({ model: modelName(model), ...told }, io));
    }
}

function listOf(vendors: readonly VendorReport[], profile: Profiling, which: "all" | "usable", io: Io): string[] {
  const rows = vendors.flatMap(({ usable, models, learned }) =>
    usable || which === "all"
      ? models.map((model) =>
          rowOf(model, [...knownOf(profile(model), learned?.[model.id]), ...(usable ? [] : ["(not now)"])]),
        )
      : [],
  );
  const silent = silentOf(vendors);
  const rest = vendors.filter((vendor) => !vendor.usable);
  return [
    ...(rows.length > 0 ? inColumns(columns, rows, io) : []),
    ...vendorLines("Usable, by a name that you know", silent, io),
    ...(rows.length + silent.length > 0 && rest.length > 0 ? [""] : []),
    ...vendorLines("Not usable now", rest, io),
  ];
}

/** A server that is not running has no models to tell of; one that tells nothing is told of. */
const silentOf = (vendors: readonly VendorReport[]): VendorReport[] =>
  vendors.filter((vendor) => vendor.usable && vendor.models.length === 0);

function vendorLines(title: string, vendors: readonly VendorReport[], io: Io): string[] {
  if (vendors.length === 0) return [];
  const width = Math.max(...vendors.map(({ id }) => id.length)) + 2;
  const lines = vendors.map(({ id, why, models }) => {
    const count = models.length > 0 ? ` (${plural(models.length, "model")})` : "";
    return inWindow(`  ${id.padEnd(width)}${plainText(why)}${count}`, io);
  });
  return [`${title}:`, ...lines];
}

const columns: readonly Column[] = [
  { head: "model", gives: true },
  { head: "context", align: "right" },
  { head: "output", align: "right" },
  { head: "$/M in/out" },
  { head: "can" },
];

/** How it is worked with, and what a probe has found out of it. */
function knownOf(profile: ProfileName, learned: NonNullable<VendorReport["learned"]>[string] | undefined): string[] {
  const calls = { native: "calls", text: "calls in its text", none: "no calls" };
  const probed = learned && [calls[learned.calls], ...(learned.dialect === undefined ? [] : [learned.dialect])];
  return [
    ...(profile === "default" ? [] : [`profile ${profile}`]),
    ...(probed ? [`(probed: ${plainText(probed.join(", "))})`] : []),
  ];
}

function rowOf(model: Model, known: readonly string[]): string[] {
  const { input, output } = model.cost;
  const price = input + output > 0 ? `$${money(input)}/$${money(output)}` : "";
  const can = [
    ...(model.reasoning ? ["thinking"] : []),
    ...(model.input.includes("image") ? ["images"] : []),
    ...known,
  ];
  return [modelName(model), size(model.contextWindow), size(model.maxOutput), price, can.join(" ")];
}

async function refresh(io: Io): Promise<number> {
  const { openRegistry, refreshCatalogs, publicList } = await loadAdmin();
  const book = await openRegistry(io.home, io.env);
  if (!book.ok) return usage(io, book.message);
  const done = await refreshCatalogs(io.home, io.env.PITH_MODELS_URL || publicList, book.value.vendors);
  complain(
    io,
    done.ok
      ? `${plural(done.value.models, "model")} of ${plural(done.value.vendors, "vendor")} refreshed`
      : done.message,
  );
  return done.ok ? exit.finished : exit.unfinished;
}

/** As people write prices; some lists have them with all the digits of a division. */
const money = (dollars: number): string => String(Number(dollars.toPrecision(4)));

/** 128k, 1M. */
function size(tokens: number): string {
  if (tokens >= 999_500) return `${Math.round(tokens / 100_000) / 10}M`;
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}k` : String(tokens);
}
