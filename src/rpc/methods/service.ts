import * as v from 'valibot';
import { RpcError } from '../errors.ts';
import { i8, params, result, text } from '../fields.ts';
import { MethodGroup, RUNS } from '../method.ts';

export const serviceMethods = new MethodGroup('Service');

serviceMethods.define({
  name: 'set_log_level',
  summary: 'How much the service writes to its log: 0 least, 4 most.',
  params: params({ level: i8() }),
  ...RUNS,
  needs: 'nothing',
  errors: ['invalidLogLevel'],
  async handler({ host }, { level }) {
    if (level < 0 || level > 4) throw new RpcError('invalidLogLevel', 'Error: log level not valid');
    host.setLog(level);
  },
});

/** Most characters of log categories. */
const MOST_CATEGORIES = 4096;

serviceMethods.define({
  name: 'set_log_categories',
  summary: 'What the service writes to its log, by category.',
  params: params({ categories: text() }),
  result: v.object({ categories: result.text }),
  ...RUNS,
  needs: 'nothing',
  handler({ host }, { categories }) {
    if (categories.length > MOST_CATEGORIES) throw new RpcError('invalidParams', 'Invalid params');
    return { categories: host.setLog(categories) };
  },
});
