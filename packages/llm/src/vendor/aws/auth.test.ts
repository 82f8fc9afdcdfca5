import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ok } from "@pith/kit";
import { scratch } from "@pith/kit/test";
import { awsAuth } from "./auth.ts";
import { profileRegion } from "./profile.ts";

const folder = scratch();
const home = folder.path;
mkdirSync(join(home, ".aws", "sso", "cache"), { recursive: true });
const put = (name: string, text: string) => writeFileSync(join(home, ".aws", name), text);

const seen: { path: string; headers: Headers; body: string }[] = [];
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const url = new URL(request.url);
    const body = await request.text();
    seen.push({ path: `${request.method} ${url.pathname}${url.search}`, headers: request.headers, body });
    if (url.pathname === "/sts") {
      const role = new URLSearchParams(body).get("RoleArn");
      if (role === "arn:forbidden") return new Response("<Error><Code>AccessDenied</Code></Error>", { status: 403 });
      return new Response(
        `<C><AccessKeyId>AKID-${role}</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken></C>`,
      );
    }
    if (url.pathname === "/federation/credentials")
      return Response.json({
        roleCredentials: {
          accessKeyId: "AKIDSSO",
          secretAccessKey: "s",
          sessionToken: "t",
          expiration: 4_102_444_800_000,
        },
      });
    if (url.pathname === "/latest/api/token")
      return request.method === "PUT" ? new Response("imds-token") : new Response("", { status: 405 });
    if (url.pathname.endsWith("/security-credentials/")) return new Response("my-role\n");
    if (url.pathname.endsWith("/security-credentials/my-role"))
      return Response.json({ AccessKeyId: "AKIDIMDS", SecretAccessKey: "s", Token: "t" });
    return new Response("", { status: 404 });
  },
});
const base = `http://127.0.0.1:${server.port}`;
afterAll(() => {
  server.stop(true);
  folder[Symbol.dispose]();
});
beforeEach(() => {
  seen.length = 0;
  put("config", "");
  put("credentials", "");
});

const now = Date.parse("2026-01-01T00:00:00Z");
const ran: string[] = [];
const run = async (command: string) => {
  ran.push(command);
  return ok(
    `{"Version": 1, "AccessKeyId": "AKIDPROC${ran.length}", "SecretAccessKey": "s", "Expiration": "2026-01-01T00:30:00Z"}`,
  );
};
const away = { AWS_EC2_METADATA_DISABLED: "true", AWS_ENDPOINT_URL_STS: `${base}/sts`, AWS_ENDPOINT_URL_SSO: base };

/** The key a request would be signed with, or the error. */
async function signer(env: Record<string, string>, time = () => now): Promise<string> {
  return who(awsAuth({ HOME: home, AWS_REGION: "eu-west-1", ...away, ...env }, { now: time } as never, run));
}
async function who(auth: ReturnType<typeof awsAuth>): Promise<string> {
  const signer = await auth();
  if (!signer.ok) return signer.message;
  const headers = signer.value.sign?.({ url: new URL("https://x/y"), headers: {}, body: "", now });
  return /Credential=(.*?)\/\d{8}\//.exec(headers?.authorization ?? "")?.[1] ?? "nobody";
}

describe("bedrock signs", () => {
  test("with the profile that is named, though keys are in the environment too", async () => {
    put(
      "credentials",
      "# mine\n[default]\naws_access_key_id = AKIDDEFAULT\naws_secret_access_key=s ; not all of it\n[work]\naws_access_key_id=AKIDWORK\naws_secret_access_key = s\n",
    );
    const keys = { AWS_ACCESS_KEY_ID: "AKIDENV", AWS_SECRET_ACCESS_KEY: "s" };
    expect(await signer({ ...keys, AWS_PROFILE: "work" })).toBe("AKIDWORK");
    expect(await signer(keys)).toBe("AKIDENV");
    expect(await signer({})).toBe("AKIDDEFAULT");
  });

  test("with the keys of a role that another profile may take, along any number of profiles", async () => {
    put(
      "config",
      "[profile a]\nrole_arn = arn:a\nsource_profile = b\n[profile b]\nrole_arn = arn:b\nsource_profile = c\nexternal_id = ext\n",
    );
    put("credentials", "[c]\naws_access_key_id = AKIDC\naws_secret_access_key = s\n");
    expect(await signer({ AWS_PROFILE: "a" })).toBe("AKID-arn:a");
    const [first, second] = seen.map(
      ({ body, headers }) => [new URLSearchParams(body), headers.get("authorization") ?? ""] as const,
    );
    expect([
      first?.[0].get("Action"),
      first?.[0].get("ExternalId"),
      /Credential=AKIDC\/.*\/sts\/aws4_request/.test(first?.[1] ?? ""),
    ]).toEqual([...["AssumeRole", "ext", true]]);
    expect(second?.[1]).toContain("Credential=AKID-arn:b/");
    put(
      "config",
      "[profile own]\nrole_arn = arn:own\nsource_profile = own\naws_access_key_id = AKIDOWN\naws_secret_access_key = s\n",
    );
    expect(await signer({ AWS_PROFILE: "own" })).toBe("AKID-arn:own");
    put("config", "[profile env]\nrole_arn = arn:env\ncredential_source = Environment\n");
    expect(await signer({ AWS_PROFILE: "env", AWS_ACCESS_KEY_ID: "AKIDENV", AWS_SECRET_ACCESS_KEY: "s" })).toBe(
      "AKID-arn:env",
    );
  });

  test("with what a login in the browser left, by session or by address", async () => {
    const token = (of: string, expiresAt: string) =>
      put(
        `sso/cache/${createHash("sha1").update(of).digest("hex")}.json`,
        JSON.stringify({ accessToken: `token of ${of}`, expiresAt }),
      );
    put(
      "config",
      "[profile new]\nsso_session = corp\nsso_account_id = 1234\nsso_role_name = Dev\n[sso-session corp]\nsso_region = eu-north-1\nsso_start_url = https://corp\n[profile old]\nsso_start_url = https://old\nsso_region = us-east-1\nsso_account_id = 1\nsso_role_name = R\n",
    );
    expect(await signer({ AWS_PROFILE: "new" })).toContain("nobody is logged in: run aws sso login --profile new");
    token("corp", "2026-01-01T01:00:00Z");
    token("https://old", "2025-12-31T23:00:00Z");
    expect(await signer({ AWS_PROFILE: "new" })).toBe("AKIDSSO");
    expect([seen[0]?.path, seen[0]?.headers.get("x-amz-sso_bearer_token")]).toEqual([
      "GET /federation/credentials?role_name=Dev&account_id=1234",
      "token of corp",
    ]);
    expect(await signer({ AWS_PROFILE: "old" })).toContain("the login has ended: run aws sso login --profile old");
  });

  test("with what a command answers, asked again when that has ended", async () => {
    put("config", '[profile cmd]\ncredential_process = /opt/get keys "for me"\n');
    let time = now;
    const auth = awsAuth(
      { HOME: home, AWS_REGION: "eu-west-1", AWS_PROFILE: "cmd", ...away },
      { now: () => time } as never,
      run,
    );
    expect([await who(auth), await who(auth)]).toEqual(["AKIDPROC1", "AKIDPROC1"]);
    time = Date.parse("2026-01-01T00:29:30Z");
    expect(await who(auth)).toBe("AKIDPROC2");
    expect(new Set(ran)).toEqual(new Set(['/opt/get keys "for me"']));
  });

  test("with the role of the machine it runs on, when nothing else is there", async () => {
    expect(await signer({ AWS_EC2_METADATA_DISABLED: "", AWS_EC2_METADATA_SERVICE_ENDPOINT: base })).toBe("AKIDIMDS");
    expect(seen.map(({ path, headers }) => [path, headers.get("x-aws-ec2-metadata-token")])).toEqual([
      ["PUT /latest/api/token", null],
      ["GET /latest/meta-data/iam/security-credentials/", "imds-token"],
      ["GET /latest/meta-data/iam/security-credentials/my-role", "imds-token"],
    ]);
  });
});

test("a faulty profile is described in words", async () => {
  put(
    "config",
    "[profile a]\nrole_arn = arn:a\nsource_profile = b\n[profile b]\nrole_arn = arn:b\nsource_profile = a\n[profile no]\nrole_arn = arn:forbidden\nsource_profile = c\n[profile empty]\nregion = eu-west-3\n",
  );
  put("credentials", "[c]\naws_access_key_id = AKIDC\naws_secret_access_key = s\n");
  expect(await signer({ AWS_PROFILE: "a" })).toContain("the profiles a → b → a lead in a circle");
  expect(await signer({ AWS_PROFILE: "typo" })).toContain('there is no profile "typo" in');
  expect(await signer({ AWS_PROFILE: "no" })).toContain("AssumeRole was refused (403): AccessDenied");
  expect(await signer({ AWS_PROFILE: "empty" })).toStartWith("bedrock needs AWS_BEARER_TOKEN_BEDROCK");
  expect(await signer({})).toStartWith("bedrock needs AWS_BEARER_TOKEN_BEDROCK");
});

test("the region of a profile counts", () => {
  put("config", "[default]\nregion = eu-west-3\n[profile work]\nregion=ap-south-1\n");
  expect([
    profileRegion({ HOME: home }),
    profileRegion({ HOME: home, AWS_PROFILE: "work" }),
    profileRegion({ HOME: home, AWS_PROFILE: "none" }),
  ]).toEqual([...["eu-west-3", "ap-south-1", undefined]]);
});
