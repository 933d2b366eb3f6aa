package org.keywell.rest.act;

import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.keywell.rest.sign.SignRequestBody;

/** The JSON body of {@code POST /acts/ID/sign}, not validated yet. */
@Schema(
    name = "ActDigests",
    additionalProperties = Schema.AdditionalPropertiesValue.FALSE,
    description = "What is not named here is refused")
public record DigestsBody(
    @ArraySchema(
            arraySchema =
                @Schema(
                    requiredMode = Schema.RequiredMode.REQUIRED,
                    description = "as many as the act was opened for"),
            schema =
                @Schema(
                    format = "byte",
                    minLength = 44,
                    maxLength = 88,
                    pattern = SignRequestBody.DIGEST))
        @Nullable List<@Nullable String> digests) {}
