import { openSettings, profileOf } from "@pith/coder";
import { plainText, plural } from "@pith/kit";
import { loadAdmin, type Model, modelName, type ProfileName, type VendorReport } from "@pith/llm";
import { exit } from "../../io/interrupt.ts";
import { complain, type Io, jsonLine, usage } from "../../io/io.ts";
import { type Column, inColumns, inWindow, printList } from "../list.ts";
import { subcommand } from "../subcommand.ts";

/** Lists the models that can be used right now, and why the others cannot. */
export const models = subcommand({
  usage: "[filter | probe <model>]",
  about: "what can be used now, and why the rest cannot",
  help: "models",
  words: ["probe"],
  options: {
    all: { takes: "nothing", about: "also models you cannot use now" },
    refresh: { takes: "nothing", about: "update the catalog" },
    json: { takes: "nothing", about: "one JSON object per line" },
  },
  async run({ flags, words }, io) {
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
    const settings = await openSettings({ cwd: io.cwd, home: io.home, wrong: "is ignored" });
    const profile = (model: Model) => (settings.ok ? profileOf(model, settings.value) : "default");
    const query = words.join(" ");
    const vendors = await fitting(surveyed.value.vendors, query);
    // A vendor without a list still has the models that a person knows by name.
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
  },
});

/** The vendors with their models that fit; a vendor whose own name fits stays without any. */
async function fitting(vendors: readonly VendorReport[], query: string): Promise<VendorReport[]> {
  if (query === "") return [...vendors];
  const { matches } = await loadAdmin();
  const fitting = vendors.map((vendor) => ({
    ...vendor,
    models: vendor.models.filter((model) => matches(query, [`${modelName(model)} ${model.name}`]).length > 0),
  }));
  return fitting.filter(({ id, models }) => models.length > 0 || id.includes(query.toLowerCase()));
}

type ProfileOf = (model: Model) => ProfileName;

function tellJson(vendors: readonly VendorReport[], profile: ProfileOf, io: Io): void {
  for (const { id, why } of silentOf(vendors)) complain(io, `${id}: ${plainText(why)}`);
  for (const { usable, why, models, learned } of vendors)
    for (const model of models) {
      const facts = { usable, why, profile: profile(model), facts: model, learned: learned?.[model.id] };
      io.out.write(jsonLine({ model: modelName(model), ...facts }, io));
    }
}

function listOf(vendors: readonly VendorReport[], profile: ProfileOf, which: "all" | "usable", io: Io): string[] {
  const rows = vendors.flatMap(({ usable, models, learned }) =>
    usable || which === "all"
      ? models.map((model) =>
          rowOf(model, [...factsOf(profile(model), learned?.[model.id]), ...(usable ? [] : ["(not now)"])]),
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

/** Usable vendors that list no models. */
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

/** The profile of a model, and the findings of a probe. */
function factsOf(profile: ProfileName, learned: NonNullable<VendorReport["learned"]>[string] | undefined): string[] {
  const calls = { native: "calls", text: "calls in its text", none: "no calls" };
  const probed = learned && [calls[learned.calls], ...(learned.dialect === undefined ? [] : [learned.dialect])];
  return [
    ...(profile === "default" ? [] : [`profile ${profile}`]),
    ...(probed ? [`(probed: ${plainText(probed.join(", "))})`] : []),
  ];
}

function rowOf(model: Model, facts: readonly string[]): string[] {
  const { input, output } = model.cost;
  const price = input + output > 0 ? `$${money(input)}/$${money(output)}` : "";
  const can = [
    ...(model.reasoning ? ["thinking"] : []),
    ...(model.input.includes("image") ? ["images"] : []),
    ...facts,
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

/** A price as people write it; some lists have all the digits of a division. */
const money = (dollars: number): string => String(Number(dollars.toPrecision(4)));

/** 128k, 1M. */
function size(tokens: number): string {
  if (tokens >= 999_500) return `${Math.round(tokens / 100_000) / 10}M`;
  return tokens >= 1000 ? `${Math.round(tokens / 1000)}k` : String(tokens);
}
