'use client';

import { Anchor, Checkbox, Input, Text } from '@mantine/core';
import { Thumbnail } from '@/components/materials/thumbnail';
import { useMaterialTray } from '@/components/materials/tray-provider';
import { Link } from '@/components/shell/link';
import classes from './new-job-form.module.css';

type MaterialsFieldProps = {
  /** Ids of the materials in the tray that are not used. */
  leftOut: string[];
  onChange: (leftOut: string[]) => void;
  error?: string;
};

/** Field that selects which materials in the tray are used for the image. */
export function MaterialsField({ leftOut, onChange, error }: MaterialsFieldProps) {
  const { materials } = useMaterialTray();
  const find = (
    <Anchor component={Link} href="/materials" inherit underline="always">
      material library
    </Anchor>
  );
  return (
    <Input.Wrapper label="Materials" labelElement="div" error={error} errorProps={{ role: 'alert' }}>
      <Text size="sm" c="dimmed">
        {materials.length === 0 ? (
          <>Add materials from the {find} to use them in this image.</>
        ) : (
          <>Materials from your tray. Clear the ones to leave out, or find more in the {find}.</>
        )}
      </Text>
      {materials.length > 0 && (
        <ul className={classes.materials} aria-label="Materials for this image">
          {materials.map(({ id, name, thumbnailUrl }) => {
            const used = !leftOut.includes(id);
            return (
              <li key={id}>
                {/* biome-ignore lint/a11y/noLabelWithoutControl: the label contains the checkbox. */}
                <label className={classes.material} data-used={used}>
                  <Thumbnail src={thumbnailUrl} className={classes.swatch} />
                  <span className={classes.materialName}>{name}</span>
                  <Checkbox
                    checked={used}
                    onChange={() =>
                      onChange(used ? [...leftOut, id] : leftOut.filter((other) => other !== id))
                    }
                  />
                </label>
              </li>
            );
          })}
        </ul>
      )}
    </Input.Wrapper>
  );
}
