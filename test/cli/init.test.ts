import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseConfiguration } from '../../cli/input/configuration.ts';
import { optionName } from '../../cli/input/options.ts';
import { configurationSchema, SETTINGS } from '../../cli/input/settings.ts';
import { configurationText, type Answers } from '../../cli/init.ts';
import { ID_INPUTS } from '../../conformance/resources/inputs.ts';

const fits = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(configurationSchema());

const FULL: Answers = {
  ...Object.fromEntries(ID_INPUTS.map((name) => [name, '4'])),
  baseUrl: 'http://[::1]:4242/base',
  otherUserId: '-5',
  missingUserId: '123456789012345678901234567890',
  roleIds: '["Admin: all", {"id":2}]',
  bannerIds: '[1, 2]',
  emailDomain: '"example.org"',
  adminKeyFile: '"keys/# admin"',
  restrictedKeyFile: '"r.key"',
};

describe('configurationText', () => {
  it.each([[{}], [FULL], [{ baseUrl: 'http://localhost:4242' }]])(
    'is a valid configuration for %j',
    async (answers: Answers) => {
      const text = configurationText(answers);
      expect(fits(parse(text) ?? {}), JSON.stringify(fits.errors)).toBe(true);
      const configuration = await parseConfiguration('conformance.yaml', text);
      expect([...configuration.keys()].sort()).toEqual(
        Object.entries(SETTINGS)
          .flatMap(([name, setting]) => (name in answers ? [optionName(setting)] : []))
          .sort(),
      );
    },
  );

  it('says what was given', async () => {
    const configuration = await parseConfiguration('conformance.yaml', configurationText(FULL));
    const given = (option: string) => configuration.get(option)?.given;
    expect(given('base-url')).toBe('http://[::1]:4242/base');
    expect(given('missing-user-id')).toBe('123456789012345678901234567890');
    expect(given('role-ids')).toBe('"Admin: all",{"id":2}');
    expect(given('admin-key-file')).toBe('keys/# admin');
  });

  it('shows every setting, with the example or default that is right', async () => {
    const text = configurationText({});
    const uncommented = text.replaceAll(/^# (\w+: )/gm, '$1');
    const configuration = await parseConfiguration('conformance.yaml', uncommented);
    expect([...configuration.keys()].sort()).toEqual(Object.values(SETTINGS).map(optionName).sort());
  });

  it('marks what has to be filled in, as long as something has', () => {
    const marked = [...configurationText({}).matchAll(/# (\w+): .*# FILL IN$/gm)].map(([, name]) => name);
    expect(marked).toEqual(Object.entries(SETTINGS).flatMap(([name, { needed }]) => (needed ? [name] : [])));
    expect(marked).toContain('userId');
    expect(configurationText(FULL)).not.toContain('FILL IN');
  });
});
