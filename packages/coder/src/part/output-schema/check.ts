import { fail, isRecord, messageOf, ok, type Result } from "@pith/kit";
import Ajv from "ajv/dist/2020.js";

const mostErrors = 20;

/** Makes a check of texts against a JSON schema of draft 2020-12; references to other documents are not followed. */
export function schemaCheck(schema: unknown): Result<(text: string) => readonly string[], "schema"> {
  if (!isRecord(schema)) return fail("schema", "a schema is a JSON object");
  try {
    const check = new Ajv({ allErrors: true, strict: false, validateFormats: false }).compile(schema);
    return ok((text) => {
      try {
        if (check(JSON.parse(text))) return [];
      } catch (error) {
        return [`It is not JSON: ${messageOf(error)}`];
      }
      const errors = (check.errors ?? []).map(({ instancePath, message }) => `${instancePath || "/"} ${message}`);
      return errors.slice(0, mostErrors);
    });
  } catch (error) {
    return fail("schema", messageOf(error));
  }
}
