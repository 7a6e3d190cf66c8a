import { SerialQueue } from '../base/index.ts';
import type { KernelOptions } from '../crypto/field-module.ts';
import { release } from '../protocol/release.ts';
import { buffersOf } from './columns.ts';
import { ScanError } from './errors.ts';
import { ScanKernel } from './kernel.ts';
import { type ScanAnswer, type ScanPort, type ScanRequest, type WebEndpoint, WORKER_STARTED, webPort } from './port.ts';

/** Serves a pool from inside a worker: loads and warms a kernel at once, answers requests in turn. */
export function serveScan(port: ScanPort, options: KernelOptions = {}): void {
  let kernel: Promise<ScanKernel> | undefined = loadWarm(options);
  // The first request reports a failure, and the next one tries again.
  kernel.catch(() => undefined);
  const queue = new SerialQueue();
  const answer = async (request: ScanRequest): Promise<void> => {
    try {
      kernel ??= loadWarm(options);
      const ready = await kernel.catch(() => {
        kernel = undefined;
        throw new ScanError('no-kernel');
      });
      const [message, transfer] = serve(ready, request);
      port.postMessage(message, transfer);
    } catch (error) {
      const { code, data } = error instanceof ScanError ? error : new ScanError('worker-failed');
      port.postMessage({ id: request.id, kind: 'error', code, data }, []);
    }
  };
  port.listen(
    (message) => void queue.run(() => answer(message as ScanRequest)),
    () => undefined,
  );
}

async function loadWarm(options: KernelOptions): Promise<ScanKernel> {
  const kernel = await ScanKernel.load(options);
  kernel.warmUp();
  return kernel;
}

function serve(kernel: ScanKernel, request: ScanRequest): [ScanAnswer, ArrayBuffer[]] {
  const { id } = request;
  switch (request.kind) {
    case 'account':
      kernel.setAccount(request.account);
      request.account.viewKey.fill(0);
      return [{ id, kind: 'done' }, []];
    case 'scan': {
      const findings = kernel.scan(request.slice);
      release(request.slice);
      return [{ id, kind: 'result', findings }, buffersOf(findings)];
    }
    case 'close':
      kernel.forget();
      return [{ id, kind: 'done' }, []];
  }
}

/** The whole script of a scan worker: holds the view key and its own kernel, receives blocks, returns what is ours. */
export function serveScanWorker(): void {
  const port = webPort(globalThis as unknown as WebEndpoint);
  serveScan(port);
  port.postMessage(WORKER_STARTED, []);
}
