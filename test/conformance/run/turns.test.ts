import { expect, it } from 'vitest';
import { earlierThan, type Turn } from '../../../conformance/run/turns.ts';

const turn = (id: string, writes: boolean, shows: string, path: string): Turn => ({ id, writes, shows, path });

const readTask = turn('readTask', false, 'task', '/tasks/{id}');
const writeTask = turn('writeTask', true, 'task', '/tasks/{id}');
const assignTask = turn('assignTask', true, 'assignment', '/tasks/{id}/owner');
const listOwners = turn('listOwners', false, 'owners', '/owners');
const listNews = turn('listNews', false, 'news', '/news');
const writeOwner = turn('writeOwner', true, 'task', '/owners/{id}');
const all = [readTask, writeTask, assignTask, listOwners, listNews, writeOwner];

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
])('the traffic of an operation %s', (_what, own, earlier) => expect(earlierThan(own, all)).toEqual(earlier));
