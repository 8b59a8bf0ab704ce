import { describe, expect, it } from 'vitest';
import { earlierThan, type Turn, turnOf } from '../../../conformance/run/turns.ts';
import { operations } from '../../../conformance/operations/index.ts';

const turn = (id: string, writes: boolean, shows: string, path: string): Turn => ({ id, writes, shows, path });

const readTask = turn('readTask', false, 'task', '/tasks/{id}');
const writeTask = turn('writeTask', true, 'task', '/tasks/{id}');
const assignTask = turn('assignTask', true, 'assignment', '/tasks/{id}/owner');
const listOwners = turn('listOwners', false, 'owners', '/owners');
const listNews = turn('listNews', false, 'news', '/news');
const writeOwner = turn('writeOwner', true, 'task', '/owners/{id}');
const all = [readTask, writeTask, assignTask, listOwners, listNews, writeOwner];

describe('the traffic of an operation', () => {
  it.each([
    [
      'reads after all that write, if the first of them writes what it shows',
      readTask,
      [writeTask, assignTask, writeOwner],
    ],
    ['reads beside the first that writes, if a later one writes what it shows', listOwners, []],
    ['reads beside what writes something else', listNews, []],
    ['writes first if it is the first that writes', writeTask, []],
    [
      'writes after what reads that before, and after all that write and are listed before it',
      writeOwner,
      [listOwners, writeTask, assignTask],
    ],
  ])('%s', (_what, own, earlier) => {
    expect(earlierThan(own, all)).toEqual(earlier);
  });

  it('can begin for every operation of the contract', () => {
    const turns = operations.map(turnOf);
    const sent: Turn[] = [];
    const canBegin = (each: Turn): boolean => earlierThan(each, turns).every((earlier) => sent.includes(earlier));
    turns.forEach(() => {
      sent.push(...turns.filter((each) => !sent.includes(each) && canBegin(each)));
    });
    expect(sent).toHaveLength(turns.length);
  });
});
