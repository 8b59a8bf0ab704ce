// The parts of undici that the client needs: with fetch, WebSocket and caches it takes three times as long to load.
import api from 'undici/lib/api/index.js';
import Client from 'undici/lib/dispatcher/client.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';

// As undici's own index does: the tunnel through a proxy is made with `connect`.
Object.assign(Dispatcher.prototype, api);

export { Client, EnvHttpProxyAgent, Pool };
