import { serveScanWorker } from '../src/scan/index.ts';

serveScanWorker();
