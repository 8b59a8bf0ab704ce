import type { Check, OwnCheck } from '../../model/check.ts';
import { BANNERS, BANNERS_AGAIN, RESTRICTED_BANNERS } from './requests.ts';

function bannersCheck(given: OwnCheck): Check {
  return {
    area: 'banners',
    alongside: 'all',
    level: 'must',
    operations: ['listBanners'],
    needs: ['adminKey'],
    uses: [BANNERS, BANNERS_AGAIN, RESTRICTED_BANNERS],
    ...given,
  };
}

const accepted = bannersCheck({
  id: 'banners-accepted',
  requirements: ['banners.success-is-200'],
  title: 'A request for the banners gets the response 200',
  failureModes: {
    refused: 'A valid request for the banners was refused. Respond with 200 and the list, even if the list is empty.',
    'wrong-success-status':
      'The response to a valid request for the banners has a 2xx status other than 200. Respond with 200 and the list.',
    redirected:
      'The response to a valid request for the banners is a redirect. Respond under the path of the contract, without a redirect.',
    'server-error':
      'The response to a valid request for the banners has a 5xx status. The log of the server may say why.',
    'no-response':
      'The connection was closed without a response to a valid request for the banners. Respond with 200 and the list.',
  },
});

const shape = bannersCheck({
  id: 'banners-is-list',
  requirements: ['banners.shape'],
  title: 'The 200 body is an object with the array `banners`',
  failureModes: {
    'wrong-shape':
      'The body is not an object whose member `banners` is an array. Respond with `{"banners": […]}`, not with the bare array.',
  },
});

const elements = bannersCheck({
  id: 'banners-are-objects',
  requirements: ['banners.elements'],
  title: 'Every banner is an object',
  failureModes: {
    'not-an-object': 'An element of `banners` is not an object. List each banner as an object with its members.',
  },
});

const complete = bannersCheck({
  id: 'banners-complete',
  level: 'should',
  requirements: ['banners.all-configured'],
  title: 'The list contains every banner that the operator named',
  needs: ['adminKey', 'bannerIds'],
  failureModes: {
    'banner-missing':
      'A configured banner is not in the list. List all of them, whatever their state. If it is not configured, correct CONFORMANCE_BANNER_IDS.',
  },
});

const stable = bannersCheck({
  id: 'banners-stable',
  level: 'should',
  requirements: ['banners.stable'],
  title: 'Consecutive lists contain the same banners',
  failureModes: {
    'other-banners': 'Consecutive lists contain different banners each time. List all configured banners every time.',
  },
});

/** Source: the method GET (RFC 9110, 9.2.1). */
const readOnly = bannersCheck({
  id: 'banners-read-only',
  level: 'should',
  requirements: ['banners.read-only'],
  title: 'Reading the list changes no banner',
  failureModes: {
    'changed-by-reading':
      'Consecutive lists show other values of a banner each time. A request with GET must change nothing.',
  },
});

const uniqueIds = bannersCheck({
  id: 'banner-id-unique',
  level: 'should',
  requirements: ['banner.id-unique'],
  title: 'No two banners have the same `id`',
  failureModes: { 'repeated-id': 'Two banners of one list have the same `id`. Give each banner its own id.' },
});

/** What the list is. Source: Resources, Banner; Endpoints, GET banners. */
export const bannerChecks: readonly Check[] = [accepted, shape, elements, complete, stable, readOnly, uniqueIds];
