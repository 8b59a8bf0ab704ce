import { describe, expect, it } from 'vitest';
import { parseBaseUrl } from '../../../cli/input/kinds.ts';
import { optionName, parseOptions } from '../../../cli/input/options.ts';
import { parseLimits, parseTarget, settingsHelp, SETTINGS, TARGET_SETTINGS } from '../../../cli/input/settings.ts';
import { DEFAULT_LIMITS } from '../../../conformance/http/limits.ts';
import { UsageError } from '../../../common/args.ts';
import { messageOf } from '../../support/exchanges.ts';
import { temporaryFolder } from '../../support/folder.ts';

const { path: folder, at, write: file } = temporaryFolder();

type Environment = Readonly<Record<string, string>>;

const target = (args: readonly string[], environment: Environment = {}) =>
  parseTarget(parseOptions(args, TARGET_SETTINGS, 0), environment);

/** The message, which is one line and names what was wrong. */
function refusal(named: string, args: readonly string[], environment: Environment = {}): string {
  const message = messageOf(UsageError, () => target(args, environment));
  expect(message).not.toMatch(/[\r\n]/);
  expect(message).toContain(named);
  return message;
}

describe('parseTarget', () => {
  it('needs nothing, and then knows the domain alone', () => {
    expect(target([])).toEqual({ emailDomain: 'example.com' });
  });

  it('reads every input from the environment', () => {
    const environment = {
      CONFORMANCE_ADMIN_KEY: 'admin',
      CONFORMANCE_RESTRICTED_KEY: 'restricted',
      CONFORMANCE_USER_ID: '4',
      CONFORMANCE_OTHER_USER_ID: '5',
      CONFORMANCE_MISSING_USER_ID: '6',
      CONFORMANCE_ROLE_IDS: '1,2',
      CONFORMANCE_BANNER_IDS: '1',
      CONFORMANCE_EMAIL_DOMAIN: 'mail.test',
    };
    expect(target([], environment)).toEqual({
      adminKey: 'admin',
      restrictedKey: 'restricted',
      userId: '4',
      otherUserId: '5',
      missingUserId: '6',
      roleIds: [1, 2],
      bannerIds: [1],
      emailDomain: 'mail.test',
    });
  });

  it('takes an empty variable for none, and an empty option for a mistake', () => {
    const names = ['ADMIN_KEY', 'USER_ID', 'ROLE_IDS', 'EMAIL_DOMAIN'].map((name) => [`CONFORMANCE_${name}`, '']);
    expect(target([], Object.fromEntries(names) as Environment)).toEqual({ emailDomain: 'example.com' });
    refusal('--user-id', ['--user-id', '']);
    refusal('--role-ids', ['--role-ids', '']);
    refusal('--email-domain', ['--email-domain', '']);
  });
});

describe('a key', () => {
  it.each([
    ['a line feed', 'secret-key\n'],
    ['a carriage return and a line feed', 'secret-key\r\n'],
    ['nothing', 'secret-key'],
  ])('is read from a file that ends with %s', (_what, content) => {
    expect(target(['--admin-key-file', file('key', content)]).adminKey).toBe('secret-key');
  });

  it('may hold blanks inside and Latin-1 letters', () => {
    expect(target([], { CONFORMANCE_ADMIN_KEY: 'Bearer kéy' }).adminKey).toBe('Bearer kéy');
  });

  it.each([
    ['is blank', '   '],
    ['starts with a blank', ' geheim'],
    ['ends with a blank', 'geheim '],
    ['has two lines', 'geheim\ngeheim'],
    ['has a tab', 'ge\theim'],
    ['has a NUL', 'ge\u0000heim'],
    ['has a control character', 'ge\u007fheim'],
    ['has characters beyond Latin-1', 'geheim→'],
  ])('is refused where it %s, without being shown', (_what, key) => {
    expect(refusal('CONFORMANCE_ADMIN_KEY', [], { CONFORMANCE_ADMIN_KEY: key })).not.toContain('geheim');
    const path = file('bad-key', key);
    expect(refusal('--restricted-key-file', ['--restricted-key-file', path])).not.toContain('geheim');
  });

  it.each([
    ['empty', file('empty', ''), ''],
    ['a line end', file('line-end', '\n'), ''],
    ['not there', at('nope'), 'no such file'],
    ['a folder', folder, 'folder'],
  ])('is refused where its file is %s', (_what, path, says) => {
    expect(refusal('--admin-key-file', ['--admin-key-file', path])).toContain(says);
  });

  it('is refused where both are the same, without being shown', () => {
    const environment = { CONFORMANCE_ADMIN_KEY: 'geheim', CONFORMANCE_RESTRICTED_KEY: 'geheim' };
    expect(refusal('restricted key', [], environment)).not.toContain('geheim');
    const path = file('same-key', 'geheim\n');
    refusal('restricted key', ['--restricted-key-file', path], { CONFORMANCE_ADMIN_KEY: 'geheim' });
  });
});

describe('an id of a user', () => {
  it.each(['0', '4', '-1', '123456789012345678901234567890'])('may be %s, and stays as it was written', (id) => {
    expect(target([`--user-id=${id}`]).userId).toBe(id);
  });

  it.each(['04', '+4', '4.0', '4abc', 'abc', ' 4', '4 ', '1e3', '-0', '0x4', '4\n', '٤', '4/5'])(
    'is refused as %j',
    (id) => {
      expect(refusal('--user-id', [`--user-id=${id}`])).toContain('such as 4');
      expect(refusal('CONFORMANCE_OTHER_USER_ID', [], { CONFORMANCE_OTHER_USER_ID: id })).toContain('such as 4');
      refusal('--missing-user-id', [`--missing-user-id=${id}`]);
    },
  );

  it.each([
    ['--user-id', '--other-user-id'],
    ['--user-id', '--missing-user-id'],
    ['--other-user-id', '--missing-user-id'],
  ])('is refused where %s and %s are the same', (left, right) => {
    expect(refusal('differ', [left, '4', right, '4'])).toContain('4');
    expect(() => target([left, '4', right, '5'])).not.toThrow();
  });
});

describe('the roles', () => {
  it.each([
    ['1,2', [1, 2]],
    [' 1 , 2 ', [1, 2]],
    ['"Admin","Editor"', ['Admin', 'Editor']],
    ['{"id":1},{"id":2}', [{ id: 1 }, { id: 2 }]],
    ['1,"1"', [1, '1']],
  ])('are JSON values with commas between: %s', (text, roles) => {
    expect(target(['--role-ids', text]).roleIds).toEqual(roles);
  });

  it('are JSON for the banners too, of which one is enough', () => {
    expect(target(['--banner-ids', '7']).bannerIds).toEqual([7]);
    expect(refusal('--banner-ids', ['--banner-ids', ''])).toContain('1 value');
    refusal('--banner-ids', ['--banner-ids', '1,1']);
  });

  it.each(['1', '', '1,1', '1,2,1', '1,1.0', '{"id":1},{"id":1}'])(
    'are refused where there are not two, each once: %s',
    (text) => {
      expect(refusal('--role-ids', ['--role-ids', text])).toContain('2 values');
    },
  );

  it('are refused in brackets, since they look like one value then', () => {
    expect(refusal('--role-ids', ['--role-ids', '[1,2]'])).toContain('without brackets around them: 1,2.');
  });

  it.each(['Admin,Editor', '1,2,', '1;2', '[1,2', '1],[2', "'a','b'"])(
    'are refused where they are no JSON: %s',
    (text) => {
      expect(refusal('CONFORMANCE_ROLE_IDS', [], { CONFORMANCE_ROLE_IDS: text })).toContain('1,2');
    },
  );

  it('are refused in one line also where the list has several', () => {
    refusal('CONFORMANCE_ROLE_IDS', [], { CONFORMANCE_ROLE_IDS: '1,\n1' });
    refusal('CONFORMANCE_ROLE_IDS', [], { CONFORMANCE_ROLE_IDS: 'a,\nb' });
  });
});

describe('the e-mail domain', () => {
  it.each(['example.org', 'mail.example.org', 'x', 'a-b.test', '127.0.0.1'])('may be %s', (domain) => {
    expect(target(['--email-domain', domain]).emailDomain).toBe(domain);
  });

  it.each([
    ...['Example.com', '@example.com', 'ada@example.com', '.example.com', 'example.com.', 'exa mple.com'],
    ...['-x.test', 'x_y.test', 'exämple.com'],
  ])('is refused as %s', (domain) => {
    expect(refusal('--email-domain', [`--email-domain=${domain}`])).toContain('example.com');
  });
});

describe('parseBaseUrl', () => {
  it.each([
    ['http://localhost:4242', 'http://localhost:4242/'],
    ['https://api.example.com/base/path/', 'https://api.example.com/base/path/'],
    ['http://[::1]:8080', 'http://[::1]:8080/'],
  ])('takes %s', (text, href) => {
    expect(parseBaseUrl('BASE_URL', text).href).toBe(href);
  });

  const NO_ADDRESS = [
    ...['', 'localhost', 'localhost:4242', '/api', 'ftp://a.b', 'file:///etc/passwd', 'http://', 'http://h:99999'],
  ];
  it.each([
    ...NO_ADDRESS.map((text) => ['not an address', text]),
    ['credentials', 'http://user:geheim@example.com'],
    ['credentials', 'http://user@example.com'],
    ['a query', 'http://example.com/?a=1'],
    ['a query', 'http://example.com/#x'],
  ])('refuses, in one line, for %s: %s', (why, text = '') => {
    const message = messageOf(UsageError, () => parseBaseUrl('CONFORMANCE_BASE_URL', text));
    expect(message).toMatch(/^CONFORMANCE_BASE_URL: [^\n]*$/);
    expect(message).toContain(why);
    expect(message).not.toContain('geheim');
  });
});

describe('parseLimits', () => {
  const limits = (...args: string[]) => parseLimits(parseOptions(args, Object.values(SETTINGS), 0));

  it('gives those that were given, and the defaults of the others', () => {
    expect(limits('--timeout', '100')).toEqual({ ...DEFAULT_LIMITS, timeout: 100 });
    expect(limits('--timeout', '100', '--deadline=2000', '--max-body', '4096', '--concurrency', '2')).toEqual({
      timeout: 100,
      deadline: 2000,
      maxBody: 4096,
      concurrency: 2,
    });
  });

  it.each(['timeout', 'deadline', 'max-body', 'concurrency'])(
    'refuses a --%s that is no whole number, zero or too large',
    (option) => {
      for (const text of ['0', '1.5', 'ten', '', '9999999999']) {
        const message = messageOf(UsageError, () => limits(`--${option}=${text}`));
        expect(message).toMatch(new RegExp(`^--${option}: .*from 1 to \\d+\\.$`));
      }
    },
  );
});

describe('the help', () => {
  it('names every option', () => {
    const settings = Object.values(SETTINGS).filter(({ flag }) => flag.startsWith('--'));
    const help = settingsHelp(settings);
    for (const setting of settings) expect(help).toMatch(new RegExp(`^  --${optionName(setting)}[ [=]`, 'm'));
  });
});
