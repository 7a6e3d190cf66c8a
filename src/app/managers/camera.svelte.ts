import { type CodeReader, openCodeReader } from '../../../workers/code-reader.ts';
import { localStore } from '../services/local-store.ts';
import { PixelReader, readQrFromImage, readQrFromVideo } from '../services/qr-image.ts';
import { device } from './device.svelte.ts';

/**
 * `refused`: permission denied. `absent`: no camera. `busy`: in use by another program. `insecure`: browsers allow no camera on plain http
 * pages. `gone`: unplugged, or failed for another reason.
 */
export type CameraState = 'starting' | 'live' | 'refused' | 'absent' | 'busy' | 'insecure' | 'gone';

/** Torch support, which is not in TypeScript's DOM types yet. */
interface Light {
  readonly torch?: boolean;
}

/** Local storage key of the camera chosen last. */
const CHOSEN = 'nightjar.camera';

const WHY: Readonly<Record<string, CameraState>> = {
  NotAllowedError: 'refused',
  SecurityError: 'refused',
  NotFoundError: 'absent',
  OverconstrainedError: 'absent',
  NotReadableError: 'busy',
  AbortError: 'busy',
};

/** A camera that scans QR codes. Must be released with {@link stop}. */
export class Camera {
  state: CameraState = $state('starting');
  /** All cameras, once permission was given. */
  cameras: readonly MediaDeviceInfo[] = $state.raw([]);
  /** Device id of the camera in use. */
  chosen = $state('');
  /** The camera has a torch. */
  hasLight = $state(false);
  light = $state(false);
  readonly #pixels = new PixelReader();
  #reader: Promise<CodeReader> | undefined;
  #stream: MediaStream | undefined;
  /** Counts starts: results of an earlier one are dropped. */
  #turn = 0;

  /** @param tell called with the text of each scanned code, repeatedly while it is in view */
  constructor(readonly tell: (text: string) => void) {}

  /** Shows the camera's picture in a video element and scans it. */
  async start(video: HTMLVideoElement, wanted = localStore.get(CHOSEN)): Promise<void> {
    this.#leave();
    const turn = this.#turn;
    this.state = 'starting';
    try {
      const stream = await askFor(wanted);
      if (turn !== this.#turn) return end(stream);
      this.#stream = stream;
      const [track] = stream.getVideoTracks();
      track?.addEventListener('ended', () => turn === this.#turn && this.#fail('gone'));
      this.chosen = track?.getSettings().deviceId ?? '';
      this.hasLight = (track?.getCapabilities?.() as Light | undefined)?.torch === true;
      video.srcObject = stream;
      await video.play();
      this.cameras = (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === 'videoinput');
      if (turn !== this.#turn) return;
      this.state = 'live';
      void this.#look(video, turn);
    } catch (error) {
      if (turn === this.#turn) this.#fail(whyOf(error));
    }
  }

  /** Switches to another camera and remembers it. */
  async choose(video: HTMLVideoElement, deviceId: string): Promise<void> {
    localStore.set(CHOSEN, deviceId);
    await this.start(video, deviceId);
  }

  async switchLight(): Promise<void> {
    const torch = !this.light;
    const [track] = this.#stream?.getVideoTracks() ?? [];
    try {
      await track?.applyConstraints({ advanced: [{ torch } as MediaTrackConstraintSet] });
      this.light = torch;
    } catch {
      this.hasLight = false;
    }
  }

  /** Text of the QR code in an image file; undefined when there is none. */
  async read(file: Blob): Promise<string | undefined> {
    return readQrFromImage(await this.#open(), file);
  }

  /** Releases the camera and the reader. */
  stop(): void {
    this.#leave();
    void this.#reader?.then((reader) => reader.close());
    this.#reader = undefined;
  }

  /** Scans frame after frame. */
  async #look(video: HTMLVideoElement, turn: number): Promise<void> {
    const reader = await this.#open();
    while (turn === this.#turn && this.state === 'live') {
      await nextFrame(video);
      const text = await readQrFromVideo(reader, this.#pixels, video);
      if (text !== undefined && text !== '' && turn === this.#turn) this.tell(text);
    }
  }

  #open(): Promise<CodeReader> {
    this.#reader ??= openCodeReader(device.offline);
    return this.#reader;
  }

  #fail(state: CameraState): void {
    this.#leave();
    this.state = state;
  }

  #leave(): void {
    this.#turn += 1;
    end(this.#stream);
    this.#stream = undefined;
    this.hasLight = false;
    this.light = false;
  }
}

function end(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** The camera cannot be requested at all. */
class NoCamera extends Error {
  constructor(readonly state: CameraState) {
    super(`no camera: ${state}`);
  }
}

function whyOf(error: unknown): CameraState {
  if (error instanceof NoCamera) return error.state;
  return (error instanceof DOMException ? WHY[error.name] : undefined) ?? 'gone';
}

/** Requests the camera with this id if it is still there, otherwise the rear camera. */
async function askFor(deviceId: string | undefined): Promise<MediaStream> {
  const devices = navigator.mediaDevices as MediaDevices | undefined;
  if (!window.isSecureContext) throw new NoCamera('insecure');
  if (!devices) throw new NoCamera('absent');
  const size = { width: { ideal: 1280 }, height: { ideal: 720 } };
  const video = {
    ...size,
    ...(deviceId === undefined ? { facingMode: { ideal: 'environment' } } : { deviceId: { ideal: deviceId } }),
  };
  return devices.getUserMedia({ video, audio: false });
}

/** Milliseconds between scans if the video reports no frames. */
const STILL = 120;

/** Resolves at the video's next frame. */
function nextFrame(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, STILL);
    if (!('requestVideoFrameCallback' in video)) return;
    video.requestVideoFrameCallback(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
