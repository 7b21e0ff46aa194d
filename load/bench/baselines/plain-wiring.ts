/** Baseline: the same packages as the exchange, used as their documentation shows, without an auction. */
import express, { type Request } from 'express';
import { rateLimit } from 'express-rate-limit';
import { Redis } from 'ioredis';
import { pino } from 'pino';
import { pinoHttp } from 'pino-http';
import { Histogram } from 'prom-client';
import { type RedisReply, RedisStore } from 'rate-limit-redis';
import type { BidRequest } from '../../../src/openrtb/bid-request.ts';
import { joiPreferences } from '../../../src/openrtb/schema/rules.ts';
import type { NativeRequestCache } from '../../../src/openrtb/native-request.ts';
import { bidRequest } from '../../../src/openrtb/schema/bid-request.ts';
import { responseBody } from './fixed-response.ts';
import { serve } from './serve.ts';

const schema = bidRequest.prefs(joiPreferences);

serve(() => {
  const redis = new Redis(process.env.REDIS_URL!);
  const limiter = (prefix: string, keyGenerator?: (request: Request) => string) =>
    rateLimit({
      windowMs: 1_000,
      limit: 1_000_000,
      standardHeaders: 'draft-8',
      legacyHeaders: false,
      ...(keyGenerator && { keyGenerator }),
      store: new RedisStore({
        prefix,
        sendCommand: (command: string, ...args: string[]) => redis.call(command, ...args) as Promise<RedisReply>,
      }),
    });
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Request duration',
    labelNames: ['method', 'route', 'status'],
  });

  const app = express();
  app.set('trust proxy', 'loopback');
  app.use(pinoHttp({}, pino.destination('/dev/null')));
  app.use((request, response, next) => {
    const end = duration.startTimer({ method: request.method, route: request.path });
    response.on('finish', () => end({ status: response.statusCode }));
    next();
  });
  app.use(express.json());
  app.use(limiter('ip:'));
  app.use(limiter('publisher:', (request) => (request.body as BidRequest).site!.publisher!.id!));
  app.use(limiter('global:', () => 'all'));
  app.post('/openrtb2', (request, response) => {
    const context: NativeRequestCache = { natives: new Map() };
    const { error } = schema.validate(request.body, { context });
    if (error) response.status(400).json({ error: error.message });
    else response.json(responseBody);
  });
  return app;
});
