import { PacketReader, REPORT_BYTES } from '../../../src/device/framing.ts';
import type { HidPipe } from '../../../src/device/transport/hid.ts';
import type { MoneroApp } from './app.ts';

/** Splits the device's data into reports, as its system does. */
function toReports(reply: Uint8Array): Uint8Array[] {
  const stream = Uint8Array.of(reply.length >> 8, reply.length & 0xff, ...reply);
  return Array.from({ length: Math.ceil(stream.length / (REPORT_BYTES - 5)) }, (_, i) => {
    const report = new Uint8Array(REPORT_BYTES);
    report.set([1, 1, 5, i >> 8, i & 0xff]);
    report.set(stream.subarray(i * (REPORT_BYTES - 5), (i + 1) * (REPORT_BYTES - 5)), 5);
    return report;
  });
}

/** The app behind HID reports. @param unplugAt the report, counted in both directions from 0, that does not arrive any more; never if absent */
export function hidPipeTo(app: MoneroApp, unplugAt = Number.POSITIVE_INFINITY): HidPipe {
  let onReport = (_: Uint8Array): void => {};
  let onGone = (): void => {};
  let reader = new PacketReader();
  let passed = 0;
  const passes = (): boolean => {
    if (passed < unplugAt) {
      passed += 1;
      return true;
    }
    onGone();
    return false;
  };
  return {
    label: 'a double over HID',
    async send(report) {
      if (!passes()) throw new Error('unplugged');
      const apdu = reader.take(report);
      if (apdu === undefined) return;
      reader = new PacketReader();
      const reply = await app.answer(apdu);
      if (reply === undefined) return onGone();
      for (const part of toReports(reply)) if (passes()) onReport(part);
    },
    listen(report, gone) {
      onReport = report;
      onGone = gone;
    },
    async close() {},
  };
}
