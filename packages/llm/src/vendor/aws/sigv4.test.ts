import { expect, test } from "bun:test";
import { awsSignature } from "./sigv4.ts";

const keys = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY" };
const message = {
  url: new URL("https://bedrock-runtime.us-east-1.amazonaws.com/model/a.b-v1%3A0/converse-stream"),
  headers: { "content-type": "application/json", "user-agent": "pith" },
  body: "{}",
  now: Date.UTC(2015, 7, 30, 12, 36, 0),
};

test("a request is signed over its host, its time, its path and its body, and the secret does not travel", () => {
  const auth = awsSignature(keys, "us-east-1");
  const headers = auth.sign?.(message) ?? {};
  expect(headers["x-amz-date"]).toBe("20150830T123600Z");
  expect(headers.authorization).toStartWith(
    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/bedrock/aws4_request, SignedHeaders=content-type;host;x-amz-content-sha256;x-amz-date, Signature=",
  );
  expect(JSON.stringify(headers)).not.toContain(keys.secretAccessKey);
  for (const other of [
    { body: "{ }" },
    { now: message.now + 1000 },
    { url: new URL("https://other/model/a.b-v1%3A0/converse-stream") },
    { url: new URL(`${message.url}?x=1`) },
  ])
    expect(auth.sign?.({ ...message, ...other }).authorization).not.toBe(headers.authorization ?? "");
});

test("a temporary login signs its token too", () => {
  const headers = awsSignature({ ...keys, sessionToken: "token" }, "us-east-1").sign?.(message);
  expect(headers?.["x-amz-security-token"]).toBe("token");
  expect(headers?.authorization).toContain("x-amz-security-token");
});
