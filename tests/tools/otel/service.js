// One of three services (client -> cart -> price) with the Node SDK of OpenTelemetry. Its clock is shifted and drifts.
// usage: node service.js NAME PORT NEXT_PORT SHIFT_MS PPM STEP SECONDS FILE
// STEP: "ms" for Date.now() in whole milliseconds, as in Node, or "fine". OTLP JSON goes to FILE, the shift to FILE.truth.
'use strict';
const [,, name, port, next, shift, ppm, step, seconds, file] = process.argv;
const fs = require('fs');

// The clock of the SDK: local = true + shift + (true - zero) * ppm / 10^6, in milliseconds since 1970.
const origin = performance.timeOrigin, now = performance.now.bind(performance), first = now();
const zero = origin + first, rate = Number(ppm) * 1e-6;
const local = () => { const t = origin + now(); return t + Number(shift) + (t - zero) * rate; };
Date.now = step === 'ms' ? () => Math.floor(local()) : local;
performance.now = () => first + (now() - first) * (1 + rate);

const { NodeTracerProvider } = require('@opentelemetry/sdk-trace-node');
const { SimpleSpanProcessor, InMemorySpanExporter } = require('@opentelemetry/sdk-trace-base');
const { resourceFromAttributes } = require('@opentelemetry/resources');
const { JsonTraceSerializer } = require('@opentelemetry/otlp-transformer');
const { registerInstrumentations } = require('@opentelemetry/instrumentation');
const { HttpInstrumentation } = require('@opentelemetry/instrumentation-http');
const spans = new InMemorySpanExporter();
new NodeTracerProvider({
  resource: resourceFromAttributes({ 'service.name': name, 'host.name': 'host-' + name }),
  spanProcessors: [new SimpleSpanProcessor(spans)]
}).register();
registerInstrumentations({ instrumentations: [new HttpInstrumentation()] });

const http = require('http');
const agent = new http.Agent({ keepAlive: true });
const call = path => new Promise((done, failed) =>
  http.get({ host: '127.0.0.1', port: next, path, agent }, r => { r.resume(); r.on('end', done); }).on('error', failed));
const pause = ms => new Promise(done => setTimeout(done, ms));
const save = () => {
  const all = spans.getFinishedSpans();
  fs.writeFileSync(file, Buffer.from(JsonTraceSerializer.serializeRequest(all)));
  fs.writeFileSync(file + '.truth', JSON.stringify({ service: name, shift_ms: Number(shift), ppm: Number(ppm), zero_ms: zero }));
  process.exit(0);
};
process.on('SIGTERM', save);
if (name === 'client') {
  (async () => {
    for (const end = now() + 1000 * Number(seconds); now() < end; await pause(Math.random() * 40))
      await Promise.all([call('/a'), call('/b')]);
    save();
  })();
} else {
  http.createServer(async (request, response) => {
    await pause(Math.random() * 2);
    if (Number(next)) {
      await call('/x');
      if (Math.random() < 0.5) await call('/y');
    }
    response.end('ok');
  }).listen(Number(port), '127.0.0.1');
}
