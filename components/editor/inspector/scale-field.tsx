'use client';

import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { describeError } from '@/components/feedback/describe-error';
import { showError } from '@/components/feedback/show-error';
import { readMaterialInfo } from '@/components/materials/material-calls';
import type { MaterialElement } from '@/lib/document/page-model';
import { scaleRatios, type TrueScale } from '@/lib/document/true-scale';
import { assetId, type InfoResponse } from '@/lib/matlib/schema';
import { useEditorContext } from '../use-editor';
import { showAtScale } from './show-at-scale';
import { useElementFields } from './use-element-fields';

const FIT = 'fit';

/** Returns a texture's real size in millimeters, or null if it is unknown or the material is not a texture. */
export function textureSize({ type, dimensions_mm }: Pick<InfoResponse, 'type' | 'dimensions_mm'>) {
  const [width = 0, height = 0] = dimensions_mm ?? [];
  return type === 'textures' && width >= 1 && height >= 1 ? { width, height } : null;
}

/**
 * Lets the user choose whether a material fits its frame or is drawn to scale, such as 1:5. When the user first chooses
 * a scale, copies the texture into the project. The texture's real size comes from the library.
 */
export function ScaleField({ element, disabled }: { element: MaterialElement; disabled: boolean }) {
  const { store, projectId } = useEditorContext();
  const { change } = useElementFields([element]);
  const [busy, setBusy] = useState(false);
  const { materialId, trueScale } = element;
  const isListed = assetId.safeParse(materialId).success;
  const info = useQuery({
    queryKey: ['material-info', materialId],
    queryFn: ({ signal }) => readMaterialInfo(materialId, signal),
    enabled: isListed && trueScale === null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const size = trueScale ?? (info.data ? textureSize(info.data) : null);
  const reason = () => {
    if (size) return null;
    if (info.error) return describeError(info.error);
    return isListed && info.isPending
      ? 'Loading the material’s size…'
      : 'The library has no size for this material.';
  };

  const choose = async (ratio: TrueScale['ratio'] | undefined) => {
    if (!ratio || !size) return change({ trueScale: null });
    const next = { ratio, width: size.width, height: size.height };
    if (trueScale) return change({ trueScale: next });
    setBusy(true);
    try {
      await showAtScale(store, projectId, element, next);
    } catch (error) {
      showError('The texture could not be copied', error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Select
      label="Scale"
      size="xs"
      allowDeselect={false}
      disabled={disabled || busy || size === null}
      description={reason()}
      data={[
        { value: FIT, label: 'Fit the frame' },
        ...scaleRatios.map((ratio) => ({ value: String(ratio), label: `1:${ratio}` })),
      ]}
      value={trueScale ? String(trueScale.ratio) : FIT}
      onChange={(value) => void choose(scaleRatios.find((ratio) => String(ratio) === value))}
    />
  );
}
