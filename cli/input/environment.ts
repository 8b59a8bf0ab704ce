import { baseAddress, DEFAULT_EMAIL_DOMAIN, INPUT_HELP, type Inputs } from '../../conformance/target/inputs.ts';

function listed(values: readonly unknown[] = []): string | undefined {
  return values.length === 0 ? undefined : values.map((value) => JSON.stringify(value)).join(',');
}

/**
 * The environment variables that say the same of a target as these inputs. An empty list has none: it cannot be said in
 * the environment.
 */
export function environmentOf(inputs: Partial<Inputs>): Record<string, string> {
  const { baseUrl, emailDomain } = inputs;
  const variables: Record<string, string | undefined> = {
    CONFORMANCE_BASE_URL: baseUrl && baseAddress(baseUrl),
    [INPUT_HELP.adminKey.variable]: inputs.adminKey,
    [INPUT_HELP.restrictedKey.variable]: inputs.restrictedKey,
    [INPUT_HELP.userId.variable]: inputs.userId,
    [INPUT_HELP.otherUserId.variable]: inputs.otherUserId,
    [INPUT_HELP.missingUserId.variable]: inputs.missingUserId,
    [INPUT_HELP.roleIds.variable]: listed(inputs.roleIds),
    [INPUT_HELP.bannerIds.variable]: listed(inputs.bannerIds),
    CONFORMANCE_EMAIL_DOMAIN: emailDomain === DEFAULT_EMAIL_DOMAIN ? undefined : emailDomain,
  };
  const said = Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(said);
}

function quoted(text: string): string {
  return /^[\w.,:/@-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The lines that say it to a shell. */
export function exportLines(environment: Readonly<Record<string, string>>): string[] {
  return Object.entries(environment).map(([name, value]) => `export ${name}=${quoted(value)}`);
}
