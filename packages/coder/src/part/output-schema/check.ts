import { fail, messageOf, ok, type Result } from "@pith/kit";
import Ajv from "ajv/dist/2020.js";

/** As many are told at once. */
const told = 20;

/** Tells what a text has against a schema of draft 2020-12. A reference to elsewhere is not followed. */
export function faultsBy(schema: unknown): Result<(text: string) => readonly string[], "schema"> {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema))
    return fail("schema", "a schema is a JSON object");
  try {
    const check = new Ajv({ allErrors: true, strict: false, validateFormats: false }).compile(schema);
    return ok((text) => {
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch (error) {
        return [`It is not JSON: ${messageOf(error)}`];
      }
      if (check(value)) return [];
      const errors = (check.errors ?? []).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
      return errors.slice(0, told);
    });
  } catch (error) {
    return fail("schema", messageOf(error));
  }
}
