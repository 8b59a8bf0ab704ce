import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseConfiguration } from '../../cli/input/configuration.ts';
import { optionName } from '../../cli/input/options.ts';
import { configurationSchema, SETTINGS } from '../../cli/input/settings.ts';
import { askForAnswers, configurationText, type Answers } from '../../cli/init.ts';

const fits = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(configurationSchema());

const FULL: Answers = {
  baseUrl: 'http://[::1]:4242/base',
  userId: '4',
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
    expect(configurationText({}).match(/# \w+: .*# FILL IN$/gm)).toHaveLength(5);
    expect(configurationText(FULL)).not.toContain('FILL IN');
  });
});

describe('askForAnswers', () => {
  const NAMED = { baseUrl: 'http://localhost:4242', userId: '4', otherUserId: '5', missingUserId: '404404' };
  const GIVEN = { ...FULL, roleIds: '[1, 2]' };

  it.each<
    [what: string, given: Answers, lines: string[], answers: Answers | undefined, asked: number, refused: number]
  >([
    [
      'what is needed, and gives it as it stands in the file',
      {},
      ['http://localhost:4242/', '4', '5', '404404', '1,"Editor"'],
      { ...NAMED, roleIds: '[1, "Editor"]' },
      5,
      0,
    ],
    ['not for what was given', GIVEN, [], GIVEN, 0, 0],
    ['and leaves out what gets no input', {}, ['', '4', '', ' ', ''], { userId: '4' }, 5, 0],
    [
      'again where an input cannot be right',
      {},
      ['localhost', 'http://localhost', 'ada', '04', '4', '', '', '1', ''],
      { baseUrl: 'http://localhost', userId: '4' },
      9,
      4,
    ],
    ['and gives nothing where the input ends before the last question', {}, ['http://localhost', '4'], undefined, 3, 0],
  ])('asks %s', async (_what, given, lines, answers, asked, refused) => {
    const questions: string[] = [];
    const said: string[] = [];
    const left = [...lines];
    const ask = (question: string): Promise<string | undefined> => {
      questions.push(question);
      return Promise.resolve(left.shift());
    };
    expect(await askForAnswers(given, ask, (text) => said.push(text))).toEqual(answers);
    expect([questions.length, said.length]).toEqual([asked, refused]);
    if (refused > 0) expect(said[0]).toContain('http://localhost:4242');
  });
});
