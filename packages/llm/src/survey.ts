import { ok, type Result } from "@pith/kit";
import { openBook } from "./catalog/book.ts";
import { type Key, keysFor } from "./credential/credential.ts";
import { openStore, storeFile } from "./credential/store.ts";
import type { Model } from "./message/model.ts";
import type { ResolveFrom } from "./resolve.ts";
import { describe, type Heard, modelHeard, modelsAt } from "./vendor/local.ts";
import { placeOf } from "./vendor/place.ts";
import type { Vendor } from "./vendor/registry.ts";
import { baseVariables } from "./vendor/table.ts";

/** A vendor as it stands right now: whether it can be used, why or why not, and its models. */
export interface VendorReport {
  id: string;
  usable: boolean;
  why: string;
  models: Model[];
}

/** How long a server on this machine may take to say what it has. */
const localTimeoutMs = 500;

/** Every vendor. Servers on this machine are asked what they have; nobody else is. */
export async function survey({
  env,
  home,
  run,
}: ResolveFrom): Promise<Result<{ vendors: VendorReport[]; warnings: readonly string[] }, "models" | "credential">> {
  const book = await openBook(home, env);
  if (!book.ok) return book;
  const opened = home === undefined ? ok(undefined) : await openStore(storeFile(home), "is nothing");
  if (!opened.ok) return opened;
  using store = opened.value;
  const report = async (vendor: Vendor): Promise<VendorReport> => {
    const known = (await Promise.all((await book.value.ids(vendor)).map((id) => book.value.find(vendor, id)))).filter(
      (model) => model !== undefined,
    );
    const place = placeOf(vendor, env);
    if (vendor.local && place.ok) {
      const heard = await modelsAt(vendor.id, place.value.endpoint, env, localTimeoutMs);
      if (!heard)
        return { id: vendor.id, usable: false, why: `nobody answers at ${place.value.endpoint.shown}`, models: known };
      const whole = async (said: Heard) =>
        said.contextWindow === undefined
          ? ((await describe(vendor.id, place.value.endpoint, said.id, env, localTimeoutMs)) ?? said)
          : said;
      const models = (await Promise.all(heard.map(whole))).map((said) => modelHeard(vendor, said));
      return {
        id: vendor.id,
        usable: true,
        why: `on this machine, ${place.value.endpoint.shown}`,
        models: [...known, ...models],
      };
    }
    if (!place.ok) return { id: vendor.id, usable: false, why: place.message, models: known };
    // Nobody wants to be asked for a password by a list.
    if (vendor.custom?.apiKey?.startsWith("!") && !run)
      return { id: vendor.id, usable: true, why: "a command in models.yml", models: known };
    const keys = await keysFor(vendor, { env, store, run });
    if (!keys.ok) return { id: vendor.id, usable: false, why: keys.message, models: known };
    return { id: vendor.id, ...standing(vendor, keys.value, place.value.endpoint.near, env), models: known };
  };
  return ok({ vendors: await Promise.all(book.value.vendors.map(report)), warnings: book.value.warnings });
}

function standing(
  vendor: Vendor,
  [key, ...more]: readonly Key[],
  near: boolean,
  env: ResolveFrom["env"],
): Pick<VendorReport, "usable" | "why"> {
  if (vendor.custom?.keyless) return { usable: true, why: "models.yml, without a key" };
  if (key) return { usable: true, why: `${key.from}${more.length > 0 ? ` and ${more.length} more` : ""}` };
  const sign = vendor.signs?.find((variable) => env[variable]?.trim());
  if (sign) return { usable: true, why: sign };
  if (near) return { usable: true, why: `${baseVariables(vendor)[0] ?? "models.yml"}, without a key` };
  return { usable: false, why: vendor.keys.length > 0 ? `set ${vendor.keys.at(-1)}` : "set apiKey in models.yml" };
}
